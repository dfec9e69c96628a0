// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace muster::results {

// Times of any number in a memory that does not grow. What it says of them is off by 1/256 of the value at most, above
// 256 ns; below it, and the maximum, are exact. Times above 18 minutes count as that, but for the maximum.
class Histogram {
 public:
  Histogram();

  // What is below zero counts as zero.
  void add(std::chrono::nanoseconds time);
  void add(const Histogram& other);

  std::uint64_t n() const { return n_; }
  // The time in seconds that a share in [0, 1] of all do not exceed; 0 of none.
  double quantile_seconds(double share) const;
  double maximum_seconds() const;

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t n_ = 0;
  std::uint64_t maximum_ = 0;
};

}  // namespace muster::results
