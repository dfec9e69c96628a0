// SPDX-License-Identifier: Apache-2.0
#include "results/render/rate_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "results/strings/table.hpp"

namespace muster::results {
namespace {

std::string label(const Measurement& measurement, std::string_view name) {
  const auto at = measurement.labels.find(name);
  return at == measurement.labels.end() ? "-" : at->second;
}

const Measurement* find(const CheckRun& run, std::string_view fact, const Labels& labels) {
  const auto metric = metric_name(run.check, fact);
  const auto at = std::ranges::find_if(
      run.measurements, [&](const Measurement& each) { return each.metric == metric && each.labels == labels; });
  return at == run.measurements.end() ? nullptr : &*at;
}

std::string value(const Measurement* measurement) { return measurement == nullptr ? "-" : to_text(measurement->value); }

std::string in_unit_of(const Measurement& measurement, double number) {
  const auto* quantity = std::get_if<Quantity>(&measurement.value);
  return quantity == nullptr ? "-" : to_text(Quantity{number, quantity->unit});
}

std::string interval(const Measurement* measurement) {
  if (measurement == nullptr || !measurement->summary || !measurement->summary->median_interval) return "-";
  const auto& [low, high] = *measurement->summary->median_interval;
  return fmt::format("{} to {}", in_unit_of(*measurement, low), in_unit_of(*measurement, high));
}

Row row(const CheckRun& run, const Measurement& time, const Summary& summary) {
  const auto* bus = find(run, "bus_bandwidth", time.labels);
  return {label(time, "size"),
          label(time, "type"),
          label(time, "reduce"),
          label(time, "placement"),
          std::to_string(summary.n),
          value(&time),
          in_unit_of(time, summary.p99),
          value(find(run, "algorithm_bandwidth", time.labels)),
          value(bus),
          interval(bus),
          value(find(run, "wrong_elements", time.labels))};
}

constexpr const char* gap = "  ";

std::size_t width_of(const std::vector<Row>& rows) {
  const auto width = widths(rows);
  return std::accumulate(width.begin(), width.end(), 2 * (width.size() - 1));
}

void take_out(std::string_view title, std::vector<Row>& rows) {
  const auto at = std::ranges::find(rows.front(), title) - rows.front().begin();
  for (Row& row : rows) row.erase(row.begin() + at);
}

}  // namespace

std::vector<std::string> rate_lines(const CheckRun& run, std::size_t columns) {
  std::vector<Row> rows{{"size", "type", "redop", "placement", "n", "time", "p99", "algbw", "busbw", "95 %", "wrong"}};
  for (const Measurement& measurement : run.measurements)
    if (measurement.metric == metric_name(run.check, "time") && measurement.labels.contains("size") &&
        measurement.summary)
      rows.push_back(row(run, measurement, *measurement.summary));
  if (rows.size() == 1) return {};
  for (const std::string_view dispensable : {"95 %", "n", "p99", "redop", "type", "placement"})
    if (width_of(rows) > columns) take_out(dispensable, rows);
  const auto width = widths(rows);
  std::vector<std::string> lines;
  for (const Row& each : rows) {
    std::string line;
    for (std::size_t column = 0; column < each.size(); ++column)
      line += (column == 0 ? "" : gap) + padded(each[column], width[column], Side::right);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace muster::results
