// SPDX-License-Identifier: Apache-2.0
#include "results/render/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "results/render/judged.hpp"

namespace muster::results {
namespace {

// Labels by which siblings differ; all others say what was measured of them.
constexpr std::array<std::string_view, 20> labels_of_siblings{
    "cpu",  "cpus", "device", "drive", "gpu",  "gpu_uuid", "guid",  "host",  "model",   "nic",
    "numa", "path", "pci",    "peer",  "port", "rank",     "ranks", "route", "scratch", "serial"};

bool is_speed(Unit unit) {
  return unit == Unit::byte_per_second || unit == Unit::bit_per_second || unit == Unit::operation_per_second ||
         unit == Unit::hertz;
}

const Quantity* number(const Measurement& measurement) { return std::get_if<Quantity>(&measurement.value); }

bool is_speed(const Measurement& measurement) {
  const auto* quantity = number(measurement);
  return quantity != nullptr && is_speed(quantity->unit);
}

// Operations of disks are told as IOPS.
std::string text_of(const Measurement& measurement) {
  const auto* quantity = number(measurement);
  if (quantity != nullptr && quantity->unit == Unit::hertz && measurement.metric.ends_with(".rate"))
    return fmt::format("{:.0f} IOPS", quantity->value);
  return to_text(measurement.value);
}

std::string without_check(const CheckRun& run, const std::string& metric) {
  return check_of(metric) == run.check ? std::string(subject_of(metric)) : metric;
}

// "pass, expected: at least 1 GB"
std::string judgement(const Judged& judged, const Measurement& measurement) {
  const auto* verdict = judged.verdict_of(measurement);
  return verdict == nullptr ? "not judged"
                            : fmt::format("{}, expected: {}", to_text(verdict->status), verdict->expected);
}

// Where something was measured, and what of it; a percentile goes with the rate that it belongs to.
std::pair<Labels, Labels> divided(const Labels& labels) {
  Labels sibling, kind;
  for (const auto& [name, value] : labels) {
    const bool tells_apart = std::ranges::find(labels_of_siblings, name) != labels_of_siblings.end();
    if (name != "percentile") (tells_apart ? sibling : kind).emplace(name, value);
  }
  return {sibling, kind};
}

Row row(const CheckRun& run, const Judged& judged, const Measurement& measurement) {
  return {without_check(run, measurement.metric), to_text(measurement.labels),
          fmt::format("{}  {}", text_of(measurement), judgement(judged, measurement))};
}

using Siblings = std::vector<const Measurement*>;

// "bandwidth 371 GB/s (gpu 3) to 380 GB/s (gpu 0) of 8, expected: at least 350 GB/s"
std::string of_siblings(const CheckRun& run, const Judged& judged, const Siblings& siblings) {
  const auto value = [](const Measurement* each) { return number(*each)->value; };
  const auto [least, greatest] = std::ranges::minmax_element(siblings, {}, value);
  const auto named = [](const Measurement& each) {
    return fmt::format("{} ({})", text_of(each), to_text(divided(each.labels).first));
  };
  auto text = without_check(run, (*least)->metric) + " ";
  if (const auto at = (*least)->labels.find("percentile"); at != (*least)->labels.end()) text += at->second + " ";
  if (siblings.size() == 1)
    text += text_of(**least);
  else if (text_of(**least) == text_of(**greatest))
    text += fmt::format("{} of each of {}", text_of(**least), siblings.size());
  else
    text += fmt::format("{} to {} of {}", named(**least), named(**greatest), siblings.size());
  const auto* verdict = judged.verdict_of(**least);
  return verdict == nullptr ? text : fmt::format("{}, expected: {}", text, verdict->expected);
}

}  // namespace

bool is_headline(const Measurement& measurement) {
  const auto* quantity = number(measurement);
  if (quantity == nullptr || quantity->unit == Unit::one || quantity->unit == Unit::byte) return false;
  if (measurement.labels.contains("since")) return false;  // a counter's growth, which is a problem or nothing
  const auto percentile = measurement.labels.find("percentile");
  return !measurement.metric.ends_with(".cpu_time") &&
         (percentile == measurement.labels.end() || percentile->second == "p99");
}

std::vector<Row> headline_numbers(const CheckRun& run) {
  const Judged judged(run);
  std::vector<Labels> kinds;
  std::map<Labels, std::vector<Siblings>> of_kind;  // for each metric, in the order in which they were measured
  for (const Measurement& measurement : run.measurements) {
    if (!is_headline(measurement)) continue;
    const auto kind = divided(measurement.labels).second;
    auto& metrics = of_kind[kind];
    if (metrics.empty()) kinds.push_back(kind);
    const auto same = [&](const Siblings& each) { return each.front()->metric == measurement.metric; };
    const auto at = std::ranges::find_if(metrics, same);
    (at == metrics.end() ? metrics.emplace_back() : *at).push_back(&measurement);
  }
  std::vector<Row> rows;
  for (const Labels& kind : kinds) {
    std::vector<std::string> values;
    for (const Siblings& siblings : of_kind[kind]) values.push_back(of_siblings(run, judged, siblings));
    rows.push_back({to_text(kind), fmt::format("{}", fmt::join(values, "; "))});
  }
  return rows;
}

std::vector<Row> all_numbers(const CheckRun& run) {
  const Judged judged(run);
  std::vector<Row> rows;
  for (const Measurement& measurement : run.measurements) rows.push_back(row(run, judged, measurement));
  return rows;
}

std::vector<Row> numbers_of(const CheckRun& run, std::string_view metric) {
  const Judged judged(run);
  std::vector<Row> rows;
  for (const Measurement& measurement : run.measurements)
    if (measurement.metric == metric) rows.push_back(row(run, judged, measurement));
  return rows;
}

bool judges_no_speed(const Report& report) {
  bool has_speed = false;
  for (const CheckRun& run : report.checks) {
    const Judged judged(run);
    for (const Measurement& measurement : run.measurements) {
      if (!is_speed(measurement)) continue;
      has_speed = true;
      if (judged.verdict_of(measurement) != nullptr) return false;
    }
  }
  return has_speed;
}

}  // namespace muster::results
