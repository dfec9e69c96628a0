// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "healthcheck/program/error.hpp"
#include "healthcheck/program/option_values.hpp"
#include "healthcheck/program/streams.hpp"
#include "results/strings/suggest.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"
#include "topology/kernel/error.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr const char* folder_kind = "FOLDER";

template <class Value>
CLI::Option* option(CLI::App& app, const std::string& name, Value& value, const std::string& help) {
  return app.add_option(name, value, help)->required(!name.starts_with('-'));
}

// A value that is looked at before the library does, which would speak of its own insides.
CLI::Option* checked(CLI::Option* option, const char* kind,
                     const std::function<std::string(std::string_view)>& why_not) {
  const CLI::Validator validator([why_not](const std::string& text) { return why_not(text); }, "");
  return option->check(validator)->type_name(kind);
}

CLI::Option* size(CLI::Option* option, std::size_t least) {
  const CLI::Validator validator(
      [least](std::string& text) {
        auto reason = why_no_size(text, least);
        if (reason.empty()) text = std::to_string(*size_of(text));
        return reason;
      },
      "", "");
  return option->transform(validator)->type_name("SIZE");
}

CLI::Option* choice(CLI::Option* option, const std::vector<std::string>& choices) {
  return checked(option, "", [choices](std::string_view text) { return why_no_choice(text, choices); })
      ->type_name(fmt::format("{}", fmt::join(choices, "|")));
}

// Which the library leaves between groups.
std::string without_double_blank_lines(std::string text) {
  for (auto at = text.find("\n\n\n"); at != text.npos; at = text.find("\n\n\n", at)) text.erase(at, 1);
  return text;
}

std::string no_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const auto* each : app.get_options()) known.push_back(each->get_name());
  return fmt::format("there is no option '{}'.{} See {} --help", word, results::suggestion(word, known),
                     app.get_name());
}

// What is wrong with words that were left over.
std::string unexpected(const CLI::App& app) {
  const auto words = app.remaining();
  const auto option = std::ranges::find_if(words, [](const auto& word) { return word.starts_with('-'); });
  if (option != words.end()) return no_option(app, *option);
  return fmt::format("nothing is expected at '{}'; see {} --help", words.front(), app.get_name());
}

std::string in_words(const CLI::App& app, const CLI::ParseError& error) {
  const std::string said = error.what();
  const auto name = said.substr(0, said.find_first_of(": "));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected(app);
  if (said.ends_with('?')) return fmt::format("{} See {} --help", said, app.get_name());
  const auto see = fmt::format("see {} --help", app.get_name());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return fmt::format("{} is missing; {}", name, see);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return fmt::format("{}; {}", said, see);
  const auto* option = app.get_option_no_throw(name);
  return option != nullptr && option->count() > 1 ? fmt::format("{} is given {} times; {}", name, option->count(), see)
                                                  : fmt::format("{} needs a value; {}", name, see);
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
  option(*app_, name, value, help)->capture_default_str()->type_name("PATH");
}

void CommandLine::add(const std::string& name, std::optional<std::filesystem::path>& value, const std::string& help) {
  app_->add_option(name, value, help)->type_name("PATH");
}

void CommandLine::add(const std::string& name, std::vector<std::filesystem::path>& values, const std::string& help) {
  option(*app_, name, values, help)->type_name("PATH");
}

void CommandLine::add(const std::string& name, double& value, const std::string& help) {
  checked(option(*app_, name, value, help)->capture_default_str(), "NUMBER", why_no_number);
}

void CommandLine::add(const std::string& name, results::Tier& value, const std::string& help) {
  std::vector<std::string> tiers;
  for (const auto tier : {results::Tier::preflight, results::Tier::quick, results::Tier::full})
    tiers.emplace_back(to_text(tier));
  const auto set = [&value](const std::string& text) { value = results::tier_from(text).value(); };
  choice(app_->add_option_function<std::string>(name, set, help)->default_str(std::string(to_text(value))), tiers);
}

void CommandLine::add(const std::string& name, std::size_t& value, const std::string& help) {
  checked(option(*app_, name, value, help)->capture_default_str(), "N", why_no_whole_number);
}

void CommandLine::add(const std::string& name, std::optional<std::size_t>& value, const std::string& help) {
  checked(app_->add_option(name, value, help), "N", why_no_whole_number);
}

void CommandLine::add_positive(const std::string& name, double& value, const std::string& help) {
  checked(app_->add_option(name, value, help)->capture_default_str(), "NUMBER", why_no_positive_number);
}

void CommandLine::add_positive(const std::string& name, std::optional<double>& value, const std::string& help) {
  checked(app_->add_option(name, value, help), "NUMBER", why_no_positive_number);
}

void CommandLine::add_positive(const std::string& name, std::optional<std::size_t>& value, const std::string& help) {
  checked(app_->add_option(name, value, help), "N", [](std::string_view text) {
    auto reason = why_no_whole_number(text);
    return reason.empty() ? why_no_positive_number(text) : reason;
  });
}

void CommandLine::add_bytes(const std::string& name, std::optional<std::size_t>& value, std::size_t least,
                            const std::string& help) {
  size(app_->add_option(name, value, help), least);
}

void CommandLine::add_bytes(const std::string& name, std::size_t& value, std::size_t least, const std::string& help) {
  size(app_->add_option(name, value, help), least)->capture_default_str();
}

void CommandLine::add_list(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app_->add_option(name, values, help)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST")
      ->transform(CLI::Validator(
          [](std::string& word) {
            word = topology::trimmed(word);
            return std::string();
          },
          ""));
}

void CommandLine::add_choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                             const std::string& help) {
  choice(app_->add_option(name, value, help)->capture_default_str(), choices);
}

void CommandLine::add_folder(const std::string& name, std::filesystem::path& folder, const std::string& help) {
  option(*app_, name, folder, help)->capture_default_str()->type_name(folder_kind);
}

void CommandLine::add_folder(const std::string& name, std::optional<std::filesystem::path>& folder,
                             const std::string& help) {
  app_->add_option(name, folder, help)->type_name(folder_kind);
}

void CommandLine::add_folder(const std::string& name, std::vector<std::filesystem::path>& folders,
                             const std::string& help) {
  option(*app_, name, folders, help)->type_name(folder_kind);
}

void CommandLine::add_force() {
  if (outputs_.empty()) app_->add_flag("--force", force_, "Replace files that hold something else");
}

void CommandLine::add_output(const std::string& name, std::filesystem::path& file, results::Document kind,
                             const std::string& help) {
  add(name, file, help);
  add_force();
  outputs_.emplace_back(
      [name, &file, kind] { return std::vector{Output{.option = name, .file = file, .kind = kind}}; });
}

void CommandLine::add_output(const std::string& name, std::optional<std::filesystem::path>& file,
                             results::Document kind, const std::string& help) {
  add(name, file, help);
  add_force();
  outputs_.emplace_back([name, &file, kind] {
    return file ? std::vector{Output{.option = name, .file = *file, .kind = kind}} : std::vector<Output>();
  });
}

void CommandLine::expect_outputs() const {
  std::vector<Output> outputs;
  for (const auto& given : outputs_) std::ranges::move(given(), std::back_inserter(outputs));
  std::vector<Input> inputs;
  for (const CLI::Option* option : app_->get_options()) {
    const auto name = option->get_name();
    const bool is_output = std::ranges::find(outputs, name, &Output::option) != outputs.end();
    if (!is_output && option->get_type_name() != folder_kind)
      for (const auto& value : option->results()) inputs.push_back({.option = name, .value = value});
  }
  for (const auto& word : app_->remaining()) inputs.push_back({.option = "the job", .value = word});
  healthcheck::expect_outputs(outputs, inputs, force_);
}

void CommandLine::group(const std::string& title) { app_->option_defaults()->group(title); }

void CommandLine::examples(const std::vector<std::string>& commands) {
  const auto before = app_->get_footer();
  app_->footer(fmt::format("{}{}Examples:\n  {}", before, before.empty() ? "" : "\n\n", fmt::join(commands, "\n  ")));
}

void CommandLine::add_rest(std::vector<std::string>& words, const std::string& name, const std::string& help) {
  app_->prefix_command();
  app_->footer(fmt::format("After these options: {}\n  {}", name, help));
  app_->final_callback([this, &words, name] {
    words = app_->remaining();
    if (words.empty()) throw UsageError(fmt::format("{} is missing; see {} --help", name, app_->get_name()));
    if (words.front().starts_with('-')) throw UsageError(no_option(*app_, words.front()));
  });
}

int CommandLine::run(int argc, const char* const* argv, const std::function<int()>& body, Voice voice) const {
  const auto complain = [&](std::string_view sentence, int code) {
    if (voice == Voice::silent) return 0;
    tell(fmt::format("{}: {}\n", app_->get_name(), results::printable(sentence)));
    return code;
  };
  try {
    app_->parse(argc, argv);
    return body();
  } catch (const CLI::CallForHelp&) {
    if (voice == Voice::loud) fmt::print("{}", without_double_blank_lines(app_->help()));
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(in_words(*app_, error), 2);
  } catch (const UsageError& error) {
    return complain(error.what(), 2);
  } catch (const results::Failure& error) {
    return complain(error.what(), 3);
  } catch (const results::Error& error) {
    return complain(error.what(), 2);
  } catch (const topology::Error& error) {
    return complain(error.what(), 2);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) throw;  // see with_streams
    return complain(in_words(error), 3);
  }
}

}  // namespace muster::healthcheck
