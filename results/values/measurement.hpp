// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "results/values/quantity.hpp"
#include "results/values/samples.hpp"

namespace muster::results {

// Which component a fact is about: host, gpu, gpu_uuid, pci, nic, port, drive, rank, numa, size, ...
using Labels = std::map<std::string, std::string, std::less<>>;

// A number with its unit, or a text (firmware, link state, transport, hash).
using Value = std::variant<Quantity, std::string>;

// The most that the measured path can physically carry, determined before sampling.
struct Limit {
  Quantity value;
  std::string source;

  bool operator==(const Limit&) const = default;
};

// What ended the sampling: with thresholds, what they say of the rate, or that they say nothing; without, how it went
// on.
enum class StoppingDecision { pass, fail, inconclusive, precise, fixed, budget };

std::string_view to_text(StoppingDecision decision);
std::optional<StoppingDecision> stopping_decision_from(std::string_view text);

// How a stopping rule ended the sampling; thresholds are in the unit of the measurement.
struct Stopping {
  std::string rule;
  std::optional<double> pass_edge;
  std::optional<double> fail_edge;
  std::optional<double> noise;
  std::size_t n = 0;
  StoppingDecision decision = StoppingDecision::inconclusive;

  bool operator==(const Stopping&) const = default;
};

// A fact. It never contains "good": only judge() knows what was expected.
struct Measurement {
  std::string metric;  // "host_memory.bandwidth": the check first, then the subject
  Value value;         // the median where there is a summary
  Labels labels;
  std::optional<Summary> summary;
  std::optional<Stopping> stopping;
  std::optional<Limit> limit;

  bool operator==(const Measurement&) const = default;
};

// "CHECK.SUBJECT": what a metric of a check is called.
std::string metric_name(std::string_view check, std::string_view subject);
// The two parts of such a name. One without a point is a check alone.
std::string_view check_of(std::string_view metric);
std::string_view subject_of(std::string_view metric);

std::string to_text(const Value& value);

// "gpu 3, numa 0": the labels as people read them; empty for no labels.
std::string to_text(const Labels& labels);

}  // namespace muster::results
