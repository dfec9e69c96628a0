// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "healthcheck/catalogue/metric.hpp"

namespace muster::healthcheck {

// What a node has measured of a kind, or where more of it is better the inverse, so that more is worse.
struct Cost {
  double value = 0;
  std::uint32_t node = 0;
};

Cost cost_of(double value, Better better, std::uint32_t node);

// How far a value is worse than another, as a share of that: a rate below it, a time above it.
double gap(double slowness, double other, Better better);

struct SlowValue {
  std::size_t index = 0;   // in the values
  double median = 0;       // of the others, a slowness
  std::size_t others = 0;  // values
};

// How the values of a kind stand to each other.
struct Outliers {
  std::vector<double> sorted;   // all values, slowest first
  std::size_t nodes = 0;        // that have them
  bool are_held = false;        // else there are too few
  std::vector<SlowValue> slow;  // in the order of the values
  // More than a tenth is slow, so that nobody is: the slowness of the tenth, and the median.
  struct Division {
    double tenth = 0, median = 0;
  };
  std::optional<Division> division;
};

// Holds the values, node by node, against those of other nodes: 4 or more, and 20 values where no healthy relative
// spread is stated. Slow is what has a gap of at least max(3 %, 4 x spread) to their median, and takes longer by at
// least 8 times as much as the slowest tenth of them. tests/healthcheck/judge/outliers_test.cpp counts how often that
// accuses healthy ones. By median and MAD alone (z below -3.5) simulations accused 2 of 8,000 values of a bell curve,
// and 130 where the slow ones have a tail.
Outliers outliers(std::span<const Cost> values, Better better, std::optional<double> spread);

}  // namespace muster::healthcheck
