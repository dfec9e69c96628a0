// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <utility>

#include "healthcheck/catalogue/document_json.hpp"
#include "healthcheck/check/counter_growth.hpp"
#include "healthcheck/program/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;

topology::Counter counter_from(const Field& field) {
  field.object({"metric", "labels", "value"});
  topology::Counter counter{
      .metric = filled_text(field.at("metric")), .labels = {}, .value = field.at("value").number()};
  for (const auto& [name, value] : field.at("labels").members()) counter.labels[name] = value.text();
  return counter;
}

CounterSnapshot reading_from(const Field& field) {
  field.object({"boot_id", "uptime_seconds", "counters"});
  CounterSnapshot reading{.boot_id = filled_text(field.at("boot_id")),
                          .uptime_seconds = field.at("uptime_seconds").number(),
                          .counters = {}};
  for (const auto& counter : field.at("counters").items()) reading.counters.push_back(counter_from(counter));
  return reading;
}

}  // namespace

Earlier earlier_reading(const std::filesystem::path& file, const CounterSnapshot& now) {
  if (!std::filesystem::exists(file)) return {};
  try {
    if (!std::filesystem::is_regular_file(file)) throw UsageError(fmt::format("{} is not a file", file.string()));
    auto earlier = Document(file).read(reading_from);
    if (earlier.boot_id != now.boot_id || earlier.uptime_seconds >= now.uptime_seconds) return {};
    return {.reading = std::move(earlier), .problem = {}};
  } catch (const UsageError& error) {
    return {.reading = {}, .problem = error.what()};
  }
}

void write_reading(const CounterSnapshot& reading, const std::filesystem::path& file) {
  nlohmann::ordered_json counters = nlohmann::ordered_json::array();
  for (const auto& [metric, labels, value] : reading.counters)
    counters.push_back({{"metric", metric}, {"labels", labels}, {"value", value}});
  const nlohmann::ordered_json document{
      {"boot_id", reading.boot_id}, {"uptime_seconds", reading.uptime_seconds}, {"counters", counters}};
  results::write_atomically(file, document.dump(2) + "\n");
}

}  // namespace muster::healthcheck
