// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/read_rates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "healthcheck/peers.hpp"

namespace muster::healthcheck::fleet {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;

constexpr std::size_t most_usual = 16;  // labels
constexpr std::array compared_units = {results::Unit::byte_per_second, results::Unit::bit_per_second,
                                       results::Unit::hertz, results::Unit::second};

std::string_view text_of(const element& from) { return from; }

// Tier and models: what is known of the hardware and how long it was looked at.
std::string machine_of(const object& report) {
  std::string machine(text_of(report["selection"]["tier"]));
  for (const element host : array(report["hosts"]))
    for (const auto* name : {"cpu_model", "gpu_model"}) {
      std::string_view model;
      if (host["fingerprint"][name].get(model) == simdjson::SUCCESS) machine.append(", ").append(model);
    }
  return machine;
}

// The symbol of its unit, where the measurement can be held against others.
std::optional<std::string_view> unit_of(const element& measurement) {
  std::string_view symbol;
  if (measurement["value"]["unit"].get(symbol) != simdjson::SUCCESS) return std::nullopt;  // a text
  const auto unit = results::unit_from(symbol);
  if (!unit || std::ranges::find(compared_units, *unit) == compared_units.end()) return std::nullopt;
  if (measurement["summary"].error() != simdjson::SUCCESS) return std::nullopt;  // not sampled
  return symbol;
}

// Labels of the measurement, and those of the run's component that it does not have, by name.
Pairs labels_of(const object& run, const element& measurement) {
  Pairs labels;
  labels.reserve(most_usual);
  for (const auto& [name, value] : object(measurement["labels"])) labels.emplace_back(name, value);
  const auto measured = labels.size();
  for (const auto& [name, value] : object(run["component"])) {
    const auto own = std::span(labels).first(measured);
    if (std::ranges::find(own, name, &Pairs::value_type::first) == own.end()) labels.emplace_back(name, value);
  }
  std::ranges::sort(labels);
  return labels;
}

}  // namespace

std::vector<Rate> rates_of(const object& report, RateTexts& texts) {
  const std::string_view profile = report["profile"]["name"];
  const auto machine = machine_of(report);
  std::vector<Rate> rates;
  std::vector<std::string_view> kind, component;
  for (const object run : array(report["checks"])) {
    if (text_of(run["outcome"]) != "finished" || std::int64_t(run["attempt"]) != 1) continue;
    for (const element measurement : array(run["measurements"])) {
      const auto unit = unit_of(measurement);
      if (!unit) continue;
      kind.assign({profile, machine, run["check"], measurement["metric"], *unit});
      component.clear();
      for (const auto& [name, value] : labels_of(run, measurement)) {
        if (name == "host") continue;  // that is the node
        auto& parts = names_component(name, value) ? component : kind;
        parts.insert(parts.end(), {name, value});
      }
      rates.push_back({.kind = texts.kinds.number(joined(kind)),
                       .component = texts.components.number(joined(component)),
                       .value = measurement["value"]["value"]});
    }
  }
  return rates;
}

}  // namespace muster::healthcheck::fleet
