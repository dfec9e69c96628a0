// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/option_values.hpp"

namespace muster::healthcheck {

void CommandLine::add_also(std::vector<Also>& also, const std::vector<AlsoForm>& forms) {
  constexpr const char* name = "--also";
  std::vector<std::string> names;
  for (const AlsoForm& form : forms) names.push_back(form.name);
  const CLI::Validator validator([names](const std::string& text) { return why_no_also(text, names); }, "");
  const auto set = [&also](const std::vector<std::string>& words) {
    for (const auto& word : words)
      also.push_back({.format = word.substr(0, word.find('=')), .file = word.substr(word.find('=') + 1)});
    return true;
  };
  app_->add_option(name, set, fmt::format("Write it to this file, too: {}; may be repeated", fmt::join(names, ", ")))
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(validator)
      ->type_name("FORMAT=FILE");
  add_force();
  outputs_.emplace_back([&also, forms] {
    std::vector<Output> outputs;
    for (const Also& each : also)
      outputs.push_back({.option = name,
                         .file = each.file,
                         .begins = std::ranges::find(forms, each.format, &AlsoForm::name)->begins});
    return outputs;
  });
}

}  // namespace muster::healthcheck
