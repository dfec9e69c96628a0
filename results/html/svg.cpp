// SPDX-License-Identifier: Apache-2.0
#include "results/html/svg.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "results/html/escape.hpp"

namespace muster::results::html {
namespace {

constexpr std::size_t max_words = 200;  // bytes

// Of a drawing that is 0 wide at its centre and 1 wide as a whole.
std::string_view shape(Status status) {
  switch (status) {
    case Status::pass:
      return "M-.45 .05L-.12 .38L.45 -.35";
    case Status::warn:
      return "M0 -.42L.46 .4L-.46 .4Z";
    case Status::unknown:
      return "M-.25 -.2A.25 .25 0 1 1 .08 .08Q0 .12 0 .22M0 .42L0 .45";
    case Status::fail:
      return "M-.36 -.36L.36 .36M.36 -.36L-.36 .36";
    case Status::skip:
      return "M-.4 0L.4 0";
  }
  return "";
}

}  // namespace

Svg::Svg(std::string_view name, std::string_view title, std::string_view description, double width, double height)
    : text_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 {:g} {:g}\" "
                        "role=\"img\" aria-labelledby=\"{}-t {}-d\"><title id=\"{}-t\">{}</title>"
                        "<desc id=\"{}-d\">{}</desc>",
                        width, height, name, name, name, escaped(title, max_words), name, escaped(description, 600))) {}

void Svg::line(std::string_view classes, Point from, Point to) {
  fmt::format_to(std::back_inserter(text_), R"(<path class="{}" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>)", classes, from.x,
                 from.y, to.x, to.y);
}

void Svg::path(std::string_view classes, std::span<const Point> points) {
  fmt::format_to(std::back_inserter(text_), R"(<path class="{}" d=")", classes);
  for (std::size_t i = 0; i < points.size(); ++i)
    fmt::format_to(std::back_inserter(text_), "{}{:.1f} {:.1f}", i == 0 ? "M" : "L", points[i].x, points[i].y);
  text_ += "\"/>";
}

void Svg::box(std::string_view classes, Point corner, double width, double height, double radius) {
  fmt::format_to(std::back_inserter(text_), R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}")",
                 classes, corner.x, corner.y, width, height);
  if (radius > 0) fmt::format_to(std::back_inserter(text_), " rx=\"{:g}\"", radius);
  text_ += "/>";
}

void Svg::text(std::string_view classes, Point at, std::string_view words, Anchor anchor) {
  constexpr std::array<std::string_view, 3> anchors{"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  fmt::format_to(std::back_inserter(text_), R"(<text class="{}" x="{:.1f}" y="{:.1f}"{}>{}</text>)", classes, at.x,
                 at.y, anchors.at(static_cast<std::size_t>(anchor)), escaped(words, max_words));
}

void Svg::turned_text(std::string_view classes, Point at, std::string_view words) {
  fmt::format_to(std::back_inserter(text_),
                 "<text class=\"{}\" transform=\"translate({:.1f} {:.1f}) rotate(-45)\">{}</text>", classes, at.x, at.y,
                 escaped(words, max_words));
}

void Svg::sign(Status status, Point centre, double size) {
  fmt::format_to(
      std::back_inserter(text_),
      "<path class=\"sign s-{}\" transform=\"translate({:.1f} {:.1f}) scale({:g})\" stroke-width=\".2\" d=\"{}\"/>",
      to_text(status), centre.x, centre.y, size, shape(status));
}

void Svg::mark(std::string_view classes, std::size_t series, Point centre) {
  constexpr std::array<std::string_view, 5> shapes{"M-4 0A4 4 0 1 1 4 0A4 4 0 1 1 -4 0Z", "M-3.5 -3.5H3.5V3.5H-3.5Z",
                                                   "M0 -4.5L4.5 3.5H-4.5Z", "M0 -5L5 0L0 5L-5 0Z", "M-4 -3.5H4L0 4.5Z"};
  fmt::format_to(std::back_inserter(text_), "<path class=\"{}\" transform=\"translate({:.1f} {:.1f})\" d=\"{}\"/>",
                 classes, centre.x, centre.y, shapes.at(series % shapes.size()));
}

void Svg::begin_group(std::string_view hint) {
  fmt::format_to(std::back_inserter(text_), "<g><title>{}</title>", escaped(hint, 2 * max_words));
}

void Svg::end_group() { text_ += "</g>"; }

std::string Svg::finished() && { return std::move(text_) + "</svg>"; }

}  // namespace muster::results::html
