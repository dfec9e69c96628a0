// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

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

// Where sampling ends even when the rule is not content; six samples are taken in any case.
struct Budget {
  std::chrono::steady_clock::time_point end;
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

struct Sampled {
  results::Samples samples;
  results::Stopping stopping;  // decision "precise", or "budget" when that ended first
};

// Calls `once`, which returns one sample, until the rule is content or the budget is spent.
Sampled sample(const std::function<double()>& once, results::Unit unit, const Precision& precision,
               const Budget& budget);

// The same for operations that take turns: `once` returns one sample of each, always as many, at least one.
// Ends when the rule is content with every one of them.
std::vector<Sampled> sample_each(const std::function<std::vector<double>()>& once, results::Unit unit,
                                 const Precision& precision, const Budget& budget);

}  // namespace muster::benchmarks
