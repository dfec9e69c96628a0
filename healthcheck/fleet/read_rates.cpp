// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/read_rates.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "healthcheck/catalogue/metric.hpp"

namespace muster::healthcheck::fleet {
namespace {

using simdjson::dom::array;

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

}  // namespace

void RateReader::begin_report(const object& report) {
  rates_.clear();
  profile_ = text_of(report["profile"]["name"]);
  machine_ = machine_of(report);
}

void RateReader::begin_run(const object& run) {
  is_compared_ = text_of(run["outcome"]) == "finished" && double(run["attempt"]) == 1;
  check_ = run["check"];
  component_ = run["component"];
}

// Labels of the measurement, and those of the run's component that it does not have, by name.
void RateReader::read_labels(const element& measured) {
  labels_.clear();
  for (const auto& [name, value] : object(measured)) labels_.emplace_back(name, value);
  const auto count = labels_.size();
  for (const auto& [name, value] : object(component_)) {
    const auto own = std::span(labels_).first(count);
    if (std::ranges::find(own, name, &Pair::first) == own.end()) labels_.emplace_back(name, value);
  }
  std::ranges::sort(labels_);
}

void RateReader::add(std::string_view metric, const element& labels, std::string_view unit, double value) {
  if (!is_compared_) return;
  read_labels(labels);
  kind_.assign({profile_, machine_, check_, metric, unit});
  of_.clear();
  for (const auto& [name, label] : labels_) {
    if (name == "host") continue;  // that is the node
    auto& parts = known_metrics().names_component(name, label) ? of_ : kind_;
    parts.insert(parts.end(), {name, label});
  }
  rates_.push_back(
      {.kind = texts_.kinds.number(joined(kind_)), .component = texts_.components.number(joined(of_)), .value = value});
}

void RateReader::read(const object& report) {
  begin_report(report);
  for (const object run : array(report["checks"])) {
    begin_run(run);
    for (const element measurement : array(run["measurements"])) {
      const element value = measurement["value"];
      if (value.is_string() || measurement["summary"].error() != simdjson::SUCCESS) continue;  // not sampled
      add(measurement["metric"], measurement["labels"], value["unit"], value["value"]);
    }
  }
}

}  // namespace muster::healthcheck::fleet
