// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "results/html/escape.hpp"
#include "results/html/expected.hpp"
#include "results/html/picture.hpp"
#include "results/html/scale.hpp"
#include "results/html/series.hpp"
#include "results/html/svg.hpp"
#include "results/render/judged.hpp"
#include "results/strings/utf8.hpp"

// Bandwidth over the size of a message, a line for each kind of it, with what was expected at each size.
namespace muster::results::html {
namespace {

constexpr std::size_t max_series = 6;
constexpr double curve_width = 880, curve_height = 340;
constexpr double curve_left = 84, curve_right = 700, curve_top = 24, curve_bottom = 286;

struct AtSize {
  const Measurement* of = nullptr;
  std::optional<Edges> edges;
};

using Series = std::map<double, AtSize>;  // by size in bytes

struct Curves {
  std::string metric;
  Unit unit = Unit::one;
  std::map<std::string, Series> series;  // by the labels that tell them apart
};

bool is_curve(const Measurement& each) {
  const auto* quantity = std::get_if<Quantity>(&each.value);
  const auto subject = subject_of(each.metric);
  return quantity != nullptr && each.labels.contains("size") &&
         (subject == "bus_bandwidth" || subject == "bandwidth") &&
         (quantity->unit == Unit::byte_per_second || quantity->unit == Unit::bit_per_second) && quantity->value > 0;
}

std::vector<Curves> curves_of(const CheckRun& run) {
  std::map<std::string, std::vector<const Measurement*>> by_metric;
  for (const auto& each : run.measurements)
    if (is_curve(each)) by_metric[each.metric].push_back(&each);
  std::vector<Curves> found;
  if (by_metric.empty()) return found;
  const Judged judged(run);
  for (const auto& [metric, all] : by_metric) {
    Curves curves{.metric = metric, .unit = std::get<Quantity>(all.front()->value).unit, .series = {}};
    const auto alike = labels_alike(all);
    for (const auto* each : all)
      if (const auto size = size_of(each->labels.at("size"))) {
        const auto* verdict = judged.verdict_of(*each);
        curves.series[name_beside(*each, alike, {"size"})][*size] = {
            each, verdict ? edges(*each, verdict->expected) : std::nullopt};
      }
    std::erase_if(curves.series, [](const auto& each) { return each.second.size() < 2; });
    if (!curves.series.empty()) found.push_back(std::move(curves));
  }
  return found;
}

double number(const AtSize& value) { return std::get<Quantity>(value.of->value).value; }

std::string size_text(double bytes) {
  for (const auto& [name, factor] : {std::pair("GiB", 1073741824.0), {"MiB", 1048576.0}, {"KiB", 1024.0}})
    if (bytes >= factor) return fmt::format("{:g} {}", bytes / factor, name);
  return fmt::format("{:g} B", bytes);
}

class CurveDrawing {
 public:
  CurveDrawing(const Curves& curves, const Picture& picture)
      : curves_(curves),
        svg_(picture.name, picture.title, picture.caption, curve_width, curve_height),
        x_(of_sizes(curves)),
        ticks_(linear_ticks(greatest(curves))),
        y_(Scale::Kind::linear, 0, ticks_.back(), curve_bottom, curve_top) {}

  std::string drawn() && {
    axes();
    std::size_t index = 0;
    std::vector<double> ends;
    for (auto at = curves_.series.begin(); at != curves_.series.end() && index < max_series; ++at, ++index) {
      for (const auto& [size, value] : at->second) expectation(size, value);
      draw(at->first, at->second, index);
      ends.push_back(y_.at(number(at->second.rbegin()->second)));
    }
    names(spread(ends, 18, curve_top, curve_bottom));
    return std::move(svg_).finished();
  }

 private:
  static Scale of_sizes(const Curves& curves) {
    double low = 1e300, high = 1;
    for (const auto& [name, series] : curves.series) {
      low = std::min(low, series.begin()->first);
      high = std::max(high, series.rbegin()->first);
    }
    return {Scale::Kind::logarithmic, low, high, curve_left + 16, curve_right - 16};
  }

  static double greatest(const Curves& curves) {
    double most = 0;
    for (const auto& [name, series] : curves.series)
      for (const auto& [size, value] : series)
        most = std::max({most, number(value), value.edges ? value.edges->good : 0});
    return most;
  }

  void axes() {
    for (const double tick : ticks_) {
      svg_.line("grid", {curve_left, y_.at(tick)}, {curve_right, y_.at(tick)});
      svg_.text("tick", {curve_left - 10, y_.at(tick) + 4}, to_text(Quantity{tick, curves_.unit}), Anchor::end);
    }
    std::set<double> sizes;
    for (const auto& [name, series] : curves_.series)
      for (const auto& [size, value] : series) sizes.insert(size);
    double last = -100;
    for (const double size : sizes) {
      if (x_.at(size) - last < 62) continue;
      last = x_.at(size);
      svg_.line("axis", {last, curve_bottom}, {last, curve_bottom + 5});
      svg_.text("tick", {last, curve_bottom + 20}, size_text(size), Anchor::middle);
    }
    svg_.line("axis", {curve_left, curve_bottom}, {curve_right, curve_bottom});
    svg_.text("label", {(curve_left + curve_right) / 2, curve_bottom + 44}, "size of a message", Anchor::middle);
  }

  // A short line where the value is good, and a broken one from where on it violates.
  void expectation(double size, const AtSize& value) {
    if (!value.edges) return;
    const double x = x_.at(size);
    svg_.line("edge", {x - 14, y_.at(value.edges->good)}, {x + 14, y_.at(value.edges->good)});
    if (value.edges->bad != value.edges->good)
      svg_.line("edge bad-edge", {x - 14, y_.at(value.edges->bad)}, {x + 14, y_.at(value.edges->bad)});
  }

  void draw(const std::string& name, const Series& series, std::size_t index) {
    std::vector<Point> points;
    for (const auto& [size, value] : series) points.push_back({x_.at(size), y_.at(number(value))});
    const auto classes = fmt::format("curve c{}", index % 6);
    svg_.path(classes, points);
    for (const auto& [size, value] : series) {
      svg_.begin_group(fmt::format("{}, {}: {}", name, size_text(size), to_text(value.of->value)));
      svg_.mark(fmt::format("point c{}", index % 6), index, {x_.at(size), y_.at(number(value))});
      svg_.end_group();
    }
  }

  void names(const std::vector<double>& heights) {
    auto series = curves_.series.begin();
    for (std::size_t index = 0; index < heights.size(); ++index, ++series) {
      svg_.mark(fmt::format("point c{}", index % 6), index, {curve_right + 14, heights[index]});
      svg_.text("name", {curve_right + 26, heights[index] + 4}, shortened(series->first, 24));
    }
  }

  const Curves& curves_;
  Svg svg_;
  Scale x_;
  std::vector<double> ticks_;
  Scale y_;
};

void add_rows(Picture& picture, const Curves& curves) {
  for (const auto& [name, series] : curves.series)
    for (const auto& [size, value] : series) {
      const auto edge = [&](double at) { return to_text(Quantity{at, curves.unit}); };
      const auto& interval = value.of->summary ? value.of->summary->median_interval : std::nullopt;
      picture.rows.push_back({name, size_text(size), to_text(value.of->value),
                              interval ? fmt::format("{} to {}", edge(interval->low), edge(interval->high)) : "",
                              value.edges ? edge(value.edges->good) : "", value.edges ? edge(value.edges->bad) : ""});
    }
}

Picture picture_of(const CheckRun& run, const Curves& curves, std::size_t number_of_picture) {
  const bool is_bus = subject_of(curves.metric) == "bus_bandwidth";
  Picture picture{.name = identifier("curve", number_of_picture, run.check),
                  .title = fmt::format("{}: {} over message size", run.check, is_bus ? "bus bandwidth" : "bandwidth"),
                  .caption =
                      "Each mark is the median at one size. A short line across it is what was expected there; the "
                      "broken one below is where a value fails.",
                  .drawing = {},
                  .head = {"Series", "Size", "Median", "95 % interval", "Good from", "Violates from"},
                  .rows = {}};
  if (curves.series.size() > max_series)
    picture.caption += fmt::format(" {} of {} series are drawn; the table has all.", max_series, curves.series.size());
  picture.drawing = CurveDrawing(curves, picture).drawn();
  add_rows(picture, curves);
  return picture;
}

}  // namespace

std::vector<Picture> curves(const Report& report) {
  std::vector<Picture> found;
  for (const CheckRun& run : report.checks)
    for (const auto& each : curves_of(run))
      if (found.size() < max_pictures) found.push_back(picture_of(run, each, found.size() + 1));
  return found;
}

}  // namespace muster::results::html
