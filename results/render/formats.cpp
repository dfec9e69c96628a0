// SPDX-License-Identifier: Apache-2.0
#include "results/render/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "results/json/report_json.hpp"

namespace muster::results {

// Each is the one function of its source.
std::string to_junit(const Report& report, const View& view);

namespace {

constexpr std::array all_formats = {
    Format{"text", "a table for people", to_text},
    Format{"json", "the report itself", [](const Report& report, const View&) { return to_json(report); }},
    Format{"junit", "test cases for CI systems", to_junit},
};

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& format : all_formats) names.emplace_back(format.name);
  return names;
}

std::string format_summaries() {
  std::string summaries;
  for (const auto& format : all_formats)
    summaries += fmt::format("{}{}: {}", summaries.empty() ? "" : "; ", format.name, format.summary);
  return summaries;
}

const Format& format_of(std::string_view name) {
  const auto found = std::ranges::find(all_formats, name, &Format::name);
  if (found == all_formats.end()) throw std::logic_error(fmt::format("no format {}", name));
  return *found;
}

}  // namespace muster::results
