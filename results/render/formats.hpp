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
};

// Their names, as --format takes them, the default first.
std::vector<std::string> format_names();

// "text (a table), json (...)", for --help.
std::string format_summaries();

// Of that name, which must be one of them.
const Format& format_of(std::string_view name);

}  // namespace muster::results
