// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "healthcheck/judge/outliers.hpp"
#include "results/values/measurement.hpp"

namespace muster::healthcheck::fleet {

inline constexpr std::array<double, 9> spread_shares{0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1};
inline constexpr std::size_t max_named_outliers = 12;  // of a metric
inline constexpr std::size_t max_spreads = 1000;       // of a fleet

// A value that is slow beside those of other nodes.
struct NamedOutlier {
  std::string node;
  results::Labels component;
  double value = 0;
};

// How the values of one kind lie over a fleet, in its unit and to five digits.
struct MetricSpread {
  std::string profile, machine, metric;
  results::Unit unit = results::Unit::one;
  results::Labels labels;  // none of them names a component
  Better better = Better::higher;
  std::size_t nodes = 0, values = 0;
  std::array<double, spread_shares.size()> quantiles{};  // at spread_shares; the least value first
  std::size_t slow = 0;                                  // values that are slow
  std::vector<NamedOutlier> outliers;                    // the slowest of these first, max_named_outliers at most
};

// Of at least one value, the least first.
std::array<double, spread_shares.size()> quantiles_of(std::span<const double> values);

// To five digits, which is more than anybody sees of a value and less than half of its text.
double rounded(double value);

}  // namespace muster::healthcheck::fleet
