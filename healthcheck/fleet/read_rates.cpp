// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/read_rates.hpp"

#include <algorithm>
#include <cstring>
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

// Adds a part in a form in which no two rows of parts are alike.
void append(std::string& whole, std::string_view part) {
  const std::size_t size = part.size();
  whole.append(reinterpret_cast<const char*>(&size), sizeof size).append(part);
}

// Takes a part that append() added off the beginning, if it is this one.
bool take(std::string_view& rest, std::string_view part) {
  std::size_t size = 0;
  if (rest.size() < sizeof size) return false;
  std::memcpy(&size, rest.data(), sizeof size);
  if (size != part.size() || std::memcmp(rest.data() + sizeof size, part.data(), size) != 0) return false;
  rest.remove_prefix(sizeof size + size);
  return true;
}

void append_members(std::string& whole, const element& from) {
  for (const auto& [name, value] : object(from)) {
    append(whole, name);
    append(whole, text_of(value));
  }
}

}  // namespace

void RateReader::begin_report(const object& report) {
  rates_.clear();
  profile_ = text_of(report["profile"]["name"]);
  machine_ = machine_of(report);
}

void RateReader::begin_run(const object& run) {
  is_compared_ = text_of(run["outcome"]) == "finished" && double(run["attempt"]) == 1;
  if (!is_compared_) return;
  check_ = run["check"];
  component_ = run["component"];
  std::string of;
  for (const auto part : {profile_, std::string_view(machine_), check_}) append(of, part);
  append_members(of, component_);
  run_ = runs_.number(of);
}

bool RateReader::is_of(const Known& known, std::string_view metric, const element& labels,
                       std::string_view unit) const {
  std::string_view rest = known.of;
  object members;
  if (known.run != run_ || !take(rest, metric) || !take(rest, unit) || labels.get(members) != simdjson::SUCCESS)
    return false;
  for (const auto& [name, value] : members) {
    std::string_view text;
    if (!take(rest, name) || value.get(text) != simdjson::SUCCESS || !take(rest, text)) return false;
  }
  return rest.empty();
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

RateReader::Known RateReader::numbered(std::string_view metric, const element& labels, std::string_view unit) {
  Known known{.run = run_};
  append(known.of, metric);
  append(known.of, unit);
  append_members(known.of, labels);
  read_labels(labels);
  kind_.assign({profile_, machine_, check_, metric, unit});
  of_.clear();
  for (const auto& [name, label] : labels_) {
    if (name == "host") continue;  // that is the node
    auto& parts = known_metrics().names_component(name, label) ? of_ : kind_;
    parts.insert(parts.end(), {name, label});
  }
  known.kind = texts_.kinds.number(joined(kind_));
  known.component = texts_.components.number(joined(of_));
  return known;
}

bool RateReader::add_again(std::string_view metric, const element& labels, std::string_view unit, double value) {
  if (!is_compared_ || rates_.size() >= known_.size()) return false;
  const auto& known = known_[rates_.size()];
  if (!is_of(known, metric, labels, unit)) return false;
  rates_.push_back({.kind = known.kind, .component = known.component, .value = value});
  return true;
}

void RateReader::add_new(std::string_view metric, const element& labels, std::string_view unit, double value) {
  if (!is_compared_) return;
  if (known_.size() == rates_.size()) known_.emplace_back();
  const auto& known = known_[rates_.size()] = numbered(metric, labels, unit);
  rates_.push_back({.kind = known.kind, .component = known.component, .value = value});
}

void RateReader::read(const object& report) {
  begin_report(report);
  for (const object run : array(report["checks"])) {
    begin_run(run);
    for (const element measurement : array(run["measurements"])) {
      const element value = measurement["value"];
      if (value.is_string() || measurement["summary"].error() != simdjson::SUCCESS) continue;  // not sampled
      add_new(measurement["metric"], measurement["labels"], value["unit"], value["value"]);
    }
  }
}

}  // namespace muster::healthcheck::fleet
