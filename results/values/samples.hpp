// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "results/values/quantity.hpp"

namespace muster::results {

struct Interval {
  double low = 0;
  double high = 0;

  bool operator==(const Interval&) const = default;
};

// What repeated values say; every field is in the unit of the samples except spread.
struct Summary {
  std::size_t n = 0;
  double minimum = 0;
  double median = 0;
  double p95 = 0;
  double p99 = 0;
  double maximum = 0;
  double spread = 0;                        // 1.4826 * median absolute deviation / median, a share
  std::optional<Interval> median_interval;  // 95 % by order statistics; none below 6 samples

  bool operator==(const Summary&) const = default;
};

struct Samples {
  Unit unit = Unit::one;
  std::vector<double> values;
};

// Throws std::invalid_argument when there are no values or one of them is not finite.
Summary summarize(Samples samples);

// The same of sorted values, without another copy of them.
Summary summarize_sorted(std::span<const double> sorted);

// The value below which a share q in [0, 1] of the sorted values lies, linearly interpolated.
double quantile(std::span<const double> sorted, double q);

// Of at least one value, in any order.
double median(std::vector<double> values);

// The share of at least one value, sorted, that lies above a limit.
double share_above(std::span<const double> sorted, double limit);

// The 95 % interval of the median by the binomial order statistics (ranks 1-6 of 6, 2-9 of 10, 22-39 of 60);
// nothing below 6 values, where no pair of ranks covers it.
std::optional<Interval> median_interval(std::span<const double> sorted);

}  // namespace muster::results
