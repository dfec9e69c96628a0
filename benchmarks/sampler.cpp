// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace muster::benchmarks {
namespace {

constexpr std::size_t least_samples = 6;  // below, the median has no interval

}  // namespace

bool Precision::reached(std::span<const double> values) const {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto interval = results::median_interval(sorted);
  if (!interval) return false;
  const double median = results::quantile(sorted, 0.5);
  return std::max(interval->high - median, median - interval->low) <= share_ * std::abs(median);
}

Sampled sample(const std::function<double()>& once, results::Unit unit, const Precision& precision,
               std::chrono::steady_clock::time_point end) {
  Sampled sampled{.samples = {.unit = unit, .values = {}}, .stopping = {}};
  auto& values = sampled.samples.values;
  auto& stopping = sampled.stopping;
  stopping.rule = "precision of the median";
  stopping.decision = "budget";
  while (values.size() < least_samples || std::chrono::steady_clock::now() < end) {
    values.push_back(once());
    if (precision.reached(values)) {
      stopping.decision = "precise";
      break;
    }
  }
  stopping.n = values.size();
  return sampled;
}

}  // namespace muster::benchmarks
