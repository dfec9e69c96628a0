// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>

#include "results/measurement.hpp"
#include "results/samples.hpp"

namespace muster::benchmarks {

// Stops when the 95 % interval of the median lies within a share of the median on either side.
class Precision {
 public:
  explicit Precision(double share = 0.01) : share_(share) {}
  bool reached(std::span<const double> values) const;

 private:
  double share_;
};

struct Sampled {
  results::Samples samples;
  results::Stopping stopping;  // decision "precise", or "budget" when the time ended first
};

// Calls `once`, which returns one sample, until the rule is content or the time is over; at least 6 times.
Sampled sample(const std::function<double()>& once, results::Unit unit, const Precision& precision,
               std::chrono::steady_clock::time_point end);

}  // namespace muster::benchmarks
