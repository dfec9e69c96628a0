// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <map>
#include <string_view>

#include "healthcheck/error.hpp"
#include "results/error.hpp"
#include "results/utf8.hpp"
#include "topology/error.hpp"

namespace muster::healthcheck {
namespace {

template <class Value>
CLI::Option* option(CLI::App& app, const std::string& name, Value& value, const std::string& help) {
  return app.add_option(name, value, help)->required(!name.starts_with('-'));
}

// CLI::PositiveNumber tells its limits with 300 digits.
const CLI::Validator& positive() {
  static const CLI::Validator validator(
      [](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0 ? std::string() : text + " is no number above 0";
      },
      "POSITIVE");
  return validator;
}

// CLI11 takes -1 for the greatest of all.
const CLI::Validator& natural() {
  static const CLI::Validator validator(
      [](const std::string& text) {
        return text.find('-') == text.npos ? std::string() : text + " is no number of 0 or more";
      },
      "");
  return validator;
}

CLI::Option* bytes(CLI::Option* option, std::size_t least) {
  return option->transform(CLI::AsSizeValue(false))->check(CLI::Range(least, std::numeric_limits<std::size_t>::max()));
}

}  // namespace

CommandLine::CommandLine(const std::string& summary, const std::string& name)
    : app_(std::make_unique<CLI::App>(summary, name)) {}

CommandLine::~CommandLine() = default;

void CommandLine::add(const std::string& name, bool& flag, const std::string& help) {
  app_->add_flag(name, flag, help);
}

void CommandLine::add(const std::string& name, std::string& value, const std::string& help) {
  option(*app_, name, value, help)->capture_default_str();
}

void CommandLine::add(const std::string& name, std::optional<std::string>& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void CommandLine::add(const std::string& name, std::filesystem::path& value, const std::string& help) {
  option(*app_, name, value, help)->capture_default_str();
}

void CommandLine::add(const std::string& name, std::optional<std::filesystem::path>& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void CommandLine::add(const std::string& name, std::vector<std::filesystem::path>& values, const std::string& help) {
  option(*app_, name, values, help);
}

void CommandLine::add(const std::string& name, double& value, const std::string& help) {
  option(*app_, name, value, help)->capture_default_str();
}

void CommandLine::add(const std::string& name, results::Tier& value, const std::string& help) {
  std::map<std::string, results::Tier> tiers;
  for (const auto tier : {results::Tier::preflight, results::Tier::quick, results::Tier::full})
    tiers.emplace(to_text(tier), tier);
  option(*app_, name, value, help)->transform(CLI::CheckedTransformer(tiers))->default_str(std::string(to_text(value)));
}

void CommandLine::add(const std::string& name, std::size_t& value, const std::string& help) {
  option(*app_, name, value, help)->check(natural())->capture_default_str();
}

void CommandLine::add(const std::string& name, std::optional<std::size_t>& value, const std::string& help) {
  app_->add_option(name, value, help)->check(natural());
}

void CommandLine::add_positive(const std::string& name, double& value, const std::string& help) {
  app_->add_option(name, value, help)->check(positive())->capture_default_str();
}

void CommandLine::add_positive(const std::string& name, std::optional<double>& value, const std::string& help) {
  app_->add_option(name, value, help)->check(positive());
}

void CommandLine::add_positive(const std::string& name, std::optional<std::size_t>& value, const std::string& help) {
  app_->add_option(name, value, help)->check(positive());
}

void CommandLine::add_bytes(const std::string& name, std::optional<std::size_t>& value, std::size_t least,
                            const std::string& help) {
  bytes(app_->add_option(name, value, help), least);
}

void CommandLine::add_bytes(const std::string& name, std::size_t& value, std::size_t least, const std::string& help) {
  bytes(app_->add_option(name, value, help), least)->capture_default_str();
}

void CommandLine::add_list(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app_->add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
}

void CommandLine::add_choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                             const std::string& help) {
  app_->add_option(name, value, help)->check(CLI::IsMember(choices))->capture_default_str();
}

void CommandLine::add_rest(std::vector<std::string>& words, const std::string& name, const std::string& help) {
  app_->prefix_command();
  app_->footer(fmt::format("After these options: {}\n  {}", name, help));
  app_->final_callback([this, &words, name] {
    words = app_->remaining();
    if (words.empty()) throw UsageError(fmt::format("{} is missing; see {} --help", name, app_->get_name()));
    if (words.front().starts_with('-'))
      throw UsageError(fmt::format("unknown option {}; see {} --help", words.front(), app_->get_name()));
  });
}

int CommandLine::run(int argc, const char* const* argv, const std::function<int()>& body, Voice voice) const {
  const auto complain = [&](std::string_view sentence, int code) {
    if (voice == Voice::silent) return 0;
    fmt::print(stderr, "{}: {}\n", app_->get_name(), results::printable(sentence));
    return code;
  };
  try {
    app_->parse(argc, argv);
    return body();
  } catch (const CLI::Success& help) {
    return voice == Voice::silent ? 0 : app_->exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}; see {} --help", error.what(), app_->get_name()), 2);
  } catch (const UsageError& error) {
    return complain(error.what(), 2);
  } catch (const results::Error& error) {
    return complain(error.what(), 2);
  } catch (const topology::Error& error) {
    return complain(error.what(), 2);
  } catch (const std::exception& error) {
    return complain(error.what(), 3);
  }
}

}  // namespace muster::healthcheck
