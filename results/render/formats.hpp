// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/render/text.hpp"
#include "results/values/report.hpp"

namespace muster::results {

// A form in which a report can be printed. Each is a source of this folder and a row of formats.cpp.
struct Format {
  std::string_view name;
  std::string_view summary;  // for --help
  std::string (*render)(const Report& report, const View& view);
  std::string_view begins = {};  // an older file that begins so may be replaced; others only by --force
};

// What it makes of a report, without names, serial numbers and addresses where the view wants that.
std::string rendered(std::string_view format, const Report& report, const View& view);

// Their names, as --format takes them, the default first.
std::vector<std::string> format_names();

// "text: a table; json: ...", for --help.
std::string format_summaries();

// The same of any table of formats.
template <typename Formats>
std::vector<std::string> names_of(const Formats& formats) {
  std::vector<std::string> names;
  for (const auto& format : formats) names.emplace_back(format.name);
  return names;
}
template <typename Formats>
std::string summaries_of(const Formats& formats) {
  std::string summaries;
  for (const auto& format : formats)
    summaries.append(summaries.empty() ? "" : "; ").append(format.name).append(": ").append(format.summary);
  return summaries;
}

// Of that name, which must be one of them.
const Format& format_of(std::string_view name);

}  // namespace muster::results
