// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/html/escape.hpp"
#include "results/html/expected.hpp"
#include "results/html/picture.hpp"
#include "results/html/scale.hpp"
#include "results/html/series.hpp"
#include "results/html/svg.hpp"
#include "results/render/judged.hpp"
#include "results/strings/utf8.hpp"

// How times of one kind are spread: a row from the least to the greatest, for each kind that has more than a median.
namespace muster::results::html {
namespace {

constexpr std::size_t times_max_rows = 24;  // that are drawn
constexpr double times_width = 880, times_left = 310, times_right = 850, times_top = 30, times_step = 24;

// Seconds; what the report does not hold is not there.
struct Spread {
  std::string name;
  std::optional<double> least, median, p95, p99, most;
  std::optional<Edges> edges;

  double first() const { return least ? *least : *median; }
  double last() const { return std::max({most.value_or(0), p99.value_or(0), p95.value_or(0), *median}); }
};

const Quantity* time_of(const Measurement& each) {
  const auto* quantity = std::get_if<Quantity>(&each.value);
  return quantity != nullptr && quantity->unit == Unit::second ? quantity : nullptr;
}

// What times of a run are called beside each other.
class Names {
 public:
  explicit Names(const CheckRun& run) {
    std::vector<const Measurement*> all;
    for (const Measurement& each : run.measurements)
      if (time_of(each) != nullptr && (each.summary || each.labels.contains("percentile"))) {
        all.push_back(&each);
        subjects_.insert(std::string(subject_of(each.metric)));
      }
    alike_ = labels_alike(all);
  }

  std::string of(const Measurement& each) const {
    const auto name = name_beside(each, alike_, {"percentile"});
    const std::string subject(subject_of(each.metric));
    return subjects_.size() > 1 && name != subject ? subject + ": " + name : name;
  }

 private:
  std::set<std::string> subjects_, alike_;
};

// Of percentiles that are measurements of their own, "p50" to "max".
void add_percentiles(std::vector<Spread>& found, const CheckRun& run, const Names& names) {
  std::map<std::string, Spread> by_name;
  for (const Measurement& each : run.measurements) {
    const auto percentile = each.labels.find("percentile");
    const auto* time = time_of(each);
    if (time == nullptr || percentile == each.labels.end() || !(time->value > 0)) continue;
    auto& spread = by_name[names.of(each)];
    const std::map<std::string_view, std::optional<double> Spread::*> fields{
        {"p50", &Spread::median}, {"p95", &Spread::p95}, {"p99", &Spread::p99}, {"max", &Spread::most}};
    if (const auto field = fields.find(percentile->second); field != fields.end()) spread.*field->second = time->value;
  }
  for (auto& [name, spread] : by_name)
    if (spread.median) {
      spread.name = name;
      found.push_back(std::move(spread));
    }
}

std::vector<Spread> spreads_of(const CheckRun& run) {
  std::vector<Spread> found;
  const Judged judged(run);
  const Names names(run);
  for (const Measurement& each : run.measurements) {
    if (time_of(each) == nullptr || !each.summary || each.summary->n < 2 || !(each.summary->minimum > 0)) continue;
    const auto& [n, least, median, p95, p99, most, spread, interval] = *each.summary;
    const auto* verdict = judged.verdict_of(each);
    found.push_back({names.of(each), least, median, p95, p99, most,
                     verdict != nullptr ? edges(each, verdict->expected) : std::nullopt});
  }
  add_percentiles(found, run, names);
  return found;
}

std::string text_of(const std::optional<double>& seconds) {
  return seconds ? to_text(Quantity{*seconds, Unit::second}) : "";
}

void draw(Svg& svg, const Scale& x, const Spread& spread, double y) {
  svg.begin_group(fmt::format("{}: median {}, 99 % below {}, at most {}", spread.name, text_of(spread.median),
                              text_of(spread.p99), text_of(spread.most)));
  svg.text("name", {times_left - 14, y + 4}, shortened(spread.name, 46), Anchor::end);
  svg.line("whisker", {x.at(spread.first()), y}, {x.at(spread.last()), y});
  if (spread.p95) svg.line("body", {x.at(*spread.median), y}, {x.at(*spread.p95), y});
  if (spread.p99) svg.line("late", {x.at(*spread.p99), y - 7}, {x.at(*spread.p99), y + 7});
  if (spread.most) svg.mark("farthest", 0, {x.at(*spread.most), y});
  svg.mark("median", 3, {x.at(*spread.median), y});
  if (spread.edges) svg.line("edge", {x.at(spread.edges->good), y - 9}, {x.at(spread.edges->good), y + 9});
  svg.end_group();
}

std::string drawn(const Picture& picture, const std::vector<Spread>& spreads) {
  double low = 1e300, high = 0;
  for (const auto& each : spreads) {
    low = std::min(low, each.first());
    high = std::max(high, each.last());
  }
  const auto ticks = logarithmic_ticks(low, high);
  const double bottom = times_top + times_step * static_cast<double>(spreads.size());
  Svg svg(picture.name, picture.title, picture.caption, times_width, bottom + 34);
  const Scale x(Scale::Kind::logarithmic, ticks.front(), ticks.back(), times_left, times_right);
  const auto every = ticks.size() / 8 + 1;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    svg.line("grid", {x.at(ticks[i]), times_top - 14}, {x.at(ticks[i]), bottom});
    if (i % every == 0) svg.text("tick", {x.at(ticks[i]), bottom + 20}, text_of(ticks[i]), Anchor::middle);
  }
  for (std::size_t i = 0; i < spreads.size(); ++i)
    draw(svg, x, spreads[i], times_top + times_step * static_cast<double>(i));
  return std::move(svg).finished();
}

Picture picture_of(const CheckRun& run, std::vector<Spread> spreads, std::size_t number) {
  Picture picture{.name = identifier("times", number, run.check),
                  .title = fmt::format("{}: how times are spread", run.check),
                  .caption =
                      "The diamond is the median, the bar reaches to where 95 % end, the upright line to 99 %, and the "
                      "circle is the longest.",
                  .drawing = {},
                  .head = {"Time", "Least", "Median", "95 % below", "99 % below", "Longest", "Good up to"},
                  .rows = {}};
  for (const auto& each : spreads)
    picture.rows.push_back({each.name, text_of(each.least), text_of(each.median), text_of(each.p95), text_of(each.p99),
                            text_of(each.most), each.edges ? text_of(each.edges->good) : ""});
  if (spreads.size() > times_max_rows) {
    picture.caption += fmt::format(" {} of {} are drawn; the table has all.", times_max_rows, spreads.size());
    spreads.resize(times_max_rows);
  }
  picture.drawing = drawn(picture, spreads);
  return picture;
}

}  // namespace

std::vector<Picture> times(const Report& report) {
  std::vector<Picture> found;
  for (const CheckRun& run : report.checks)
    if (auto spreads = spreads_of(run); !spreads.empty() && found.size() < max_pictures)
      found.push_back(picture_of(run, std::move(spreads), found.size() + 1));
  return found;
}

}  // namespace muster::results::html
