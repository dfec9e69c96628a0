// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "healthcheck/catalogue/metric.hpp"
#include "results/values/majority.hpp"
#include "results/values/samples.hpp"

namespace muster::healthcheck {
namespace {

using results::Quantity;
using results::Status;
using results::Value;

constexpr double outlying_z = -3.5;    // Iglewicz and Hoaglin's limit for the modified z-score
constexpr double normal_mad = 0.6745;  // of a normal distribution with standard deviation 1
constexpr double min_of_ratio = std::numeric_limits<double>::min();  // zero is far from everything else
constexpr double min_deviation = 1e-12;                              // of equal peers it is zero

// How one of several components stands to the others; a worse one has a gap above 0.
struct Deviation {
  double peers = 0;  // their median
  double gap = 0;    // as a share of it
  double z = 0;
};

// Rates and times stand apart by their ratios: as a difference, a tenth of the median would drown in the spread of
// noisy peers. What may be negative has no ratios.
Deviation deviation_of(std::span<const Quantity> values, std::size_t index, Better better) {
  std::vector<double> others;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i != index) others.push_back(values[i].value);
  Deviation found{.peers = results::median(others)};
  const double sign = better == Better::lower ? -1 : 1;
  if (found.peers != 0) found.gap = -sign * (values[index].value - found.peers) / std::abs(found.peers);
  const bool ratios = std::ranges::all_of(values, [](const Quantity& quantity) { return quantity.value >= 0; });
  const auto scaled = [&](double value) { return ratios ? std::log(std::max(value, min_of_ratio)) : value; };
  for (double& value : others) value = scaled(value);
  const double middle = results::median(others);
  for (double& value : others) value = std::abs(value - middle);
  const double deviation = std::max(results::median(others), min_deviation);
  found.z = normal_mad * sign * (scaled(values[index].value) - middle) / deviation;
  return found;
}

bool outlying(const Deviation& found, double noise) { return found.z < outlying_z && found.gap >= min_peer_gap(noise); }

bool is_good(const Value& value, const Expectation& expectation) {
  return std::ranges::find(expectation.bound.values, value) != expectation.bound.values.end();
}

// One of those that the expectation calls good is better than others. Of what more is better, one that has more shows
// what all could have; fewer errors show nothing.
bool is_better(const Value& value, const Value& other, const Expectation& expectation) {
  const auto* one = std::get_if<Quantity>(&value);
  const auto* two = std::get_if<Quantity>(&other);
  const bool has_more =
      expectation.better == Better::higher && one && two && one->unit == two->unit && one->value > two->value;
  return has_more || (is_good(value, expectation) && !is_good(other, expectation));
}

Assessment against_peers(std::span<const Quantity> values, std::span<const Quantity> second, std::size_t index,
                         const Expectation& expectation, Better better) {
  const double noise = expectation.noise.value_or(0);
  const Deviation first = deviation_of(values, index, better);
  const std::string reason =
      fmt::format("{} is {} {} the median {} of its {} peers", results::to_text(values[index]),
                  results::percent(std::abs(first.gap)), values[index].value < first.peers ? "below" : "above",
                  results::to_text(Quantity{first.peers, values[index].unit}), values.size() - 1);
  if (!outlying(first, noise)) return {Status::pass, reason};
  if (!expectation.noise) return {Status::warn, reason + "; the profile states no healthy spread"};
  if (second.empty())
    return {.status = Status::warn,
            .reason = reason + ", not confirmed by a second measurement",
            .needs_confirmation = true};
  const Deviation again = deviation_of(second, index, better);
  if (!outlying(again, noise)) return {Status::warn, reason + ", not seen again in a second measurement"};
  return {Status::fail, fmt::format("{}, and {} in a second measurement", reason, results::percent(again.gap))};
}

}  // namespace

results::Labels kind_of(const results::Labels& labels) {
  results::Labels kind;
  for (const auto& [name, value] : labels)
    if (!known_metrics().names_component(name, value)) kind[name] = value;
  return kind;
}

std::vector<Assessment> assess_peers(std::span<const Quantity> values, std::span<const Quantity> second,
                                     const Expectation& expectation) {
  if (values.size() <= min_other_peers)
    return {values.size(),
            {Status::skip, fmt::format("too few peers: {} of {} others", values.size() - 1, min_other_peers)}};
  if (!expectation.better)
    return {values.size(), {Status::skip, "metrics.json does not say whether more or less of it is better"}};
  std::vector<Assessment> assessments;
  for (std::size_t i = 0; i < values.size(); ++i)
    assessments.push_back(against_peers(values, second, i, expectation, *expectation.better));
  return assessments;
}

std::vector<Assessment> assess_majority(std::span<const Value> values, const Expectation& expectation) {
  if (values.size() < results::min_for_majority)
    return {values.size(),
            {Status::skip, fmt::format("too few peers: {} of {} values", values.size(), results::min_for_majority)}};
  const auto mode = results::majority(values);
  if (!mode) return {values.size(), {Status::skip, "no value is held by more than half of the peers"}};
  Value wanted = values[*mode];
  for (const Value& value : values)
    if (is_better(value, wanted, expectation)) wanted = value;
  const auto have_it = fmt::format("{} of {} peers", std::ranges::count(values, wanted), values.size());
  std::vector<Assessment> assessments;
  for (const Value& value : values)
    assessments.push_back(
        value == wanted || is_good(value, expectation)
            ? Assessment{Status::pass, "as " + have_it}
            : Assessment{Status::fail, fmt::format("{} instead of {}, which {} have", results::to_text(value),
                                                   results::to_text(wanted), have_it)});
  return assessments;
}

}  // namespace muster::healthcheck
