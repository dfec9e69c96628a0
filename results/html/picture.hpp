// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "results/strings/table.hpp"
#include "results/values/report.hpp"

namespace muster::results::html {

inline constexpr std::size_t max_pictures = 6;  // of a kind

// What a report can be drawn as, with the numbers that it was drawn from.
struct Picture {
  std::string name;     // of its file and its id: letters, digits and '-', and no other picture of the page has it
  std::string title;    // plain text, as are all but the drawing
  std::string caption;  // what the lines and marks mean; one or two sentences
  std::string drawing;  // an element <svg>
  Row head;
  std::vector<Row> rows;
};

// Of a whole report: the machine, curves over sizes, pairs of hosts, times and the incidents of the kernel's log; those
// of which the report has facts.
std::vector<Picture> pictures(const Report& report);

// Each kind alone, in the sources of their names. At most max_pictures of each.
std::vector<Picture> curves(const Report& report);
std::vector<Picture> times(const Report& report);
std::vector<Picture> pairs(const Report& report);
std::vector<Picture> machine(const Report& report);
std::vector<Picture> incidents(const Report& report);

// A file of its own: light, and dark where its reader looks at dark things.
std::string svg_file(const Picture& picture);

// The rules of all classes that drawings have.
std::string_view picture_style();

}  // namespace muster::results::html
