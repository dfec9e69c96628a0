// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "results/values/verdict.hpp"

namespace muster::results::html {

struct Point {
  double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

// A drawing that is written as it is made: lengths in units of its own, x to the right and y down. Classes are those of
// picture_style(). All texts are escaped and cut.
class Svg {
 public:
  // A name that is unique in the page, for the elements that say what it shows.
  Svg(std::string_view name, std::string_view title, std::string_view description, double width, double height);

  void line(std::string_view classes, Point from, Point to);
  void path(std::string_view classes, std::span<const Point> points);
  void box(std::string_view classes, Point corner, double width, double height, double radius = 0);
  void text(std::string_view classes, Point at, std::string_view words, Anchor anchor = Anchor::start);
  // Upwards from there.
  void turned_text(std::string_view classes, Point at, std::string_view words);
  // The sign of a status, which differs by shape: a tick, a triangle, a cross, a question mark, a dash.
  void sign(Status status, Point centre, double size);
  // One of five marks of a series, by its number.
  void mark(std::string_view classes, std::size_t series, Point centre);

  // What is drawn until end_group() shows this where the mouse rests on it.
  void begin_group(std::string_view hint);
  void end_group();

  std::string finished() &&;

 private:
  std::string text_;
};

}  // namespace muster::results::html
