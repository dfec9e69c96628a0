// SPDX-License-Identifier: Apache-2.0
#include "results/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace muster::results {
namespace {

// The normal-consistent median absolute deviation as a share of the median; 0 where the median is 0.
double spread_of(std::span<const double> sorted, double centre) {
  if (centre == 0) return 0;
  std::vector<double> deviations(sorted.begin(), sorted.end());
  for (double& value : deviations) value = std::abs(value - centre);
  return 1.4826 * median(std::move(deviations)) / std::abs(centre);
}

// How many of n fair coins show heads with probability exp(result).
double log_probability(double n, double heads) {
  return std::lgamma(n + 1) - std::lgamma(heads + 1) - std::lgamma(n - heads + 1) - n * std::numbers::ln2;
}

// The greatest rank r, from 1, whose value lies above the median with probability at most 2.5 %: P(B(n, 1/2) < r).
// 0 when there is none. What lies 12 standard deviations below the centre is left out of the sum.
std::size_t lower_rank(std::size_t n) {
  const auto count = static_cast<double>(n);
  const double first = std::max(0.0, std::floor(count / 2 - 6 * std::sqrt(count)));
  auto rank = static_cast<std::size_t>(first);
  double below = std::exp(log_probability(count, first));
  while (below <= 0.025) {
    ++rank;
    below += std::exp(log_probability(count, static_cast<double>(rank)));
  }
  return rank;
}

}  // namespace

Summary summarize(const Samples& samples) {
  if (samples.values.empty()) throw std::invalid_argument("there are no samples to summarize");
  if (!std::ranges::all_of(samples.values, [](double value) { return std::isfinite(value); }))
    throw std::invalid_argument("a sample is not a finite number");
  std::vector<double> sorted = samples.values;
  std::ranges::sort(sorted);
  const double median = quantile(sorted, 0.5);
  return {.n = sorted.size(),
          .minimum = sorted.front(),
          .median = median,
          .p95 = quantile(sorted, 0.95),
          .p99 = quantile(sorted, 0.99),
          .maximum = sorted.back(),
          .spread = spread_of(sorted, median),
          .median_interval = median_interval(sorted)};
}

double quantile(std::span<const double> sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return quantile(values, 0.5);
}

double share_above(const std::vector<double>& values, double medians) {
  const double least = medians * median(values);
  const auto above = std::ranges::count_if(values, [least](double value) { return value > least; });
  return static_cast<double>(above) / static_cast<double>(values.size());
}

std::optional<Interval> median_interval(std::span<const double> sorted) {
  const std::size_t rank = lower_rank(sorted.size());
  if (rank == 0) return std::nullopt;
  return Interval{sorted[rank - 1], sorted[sorted.size() - rank]};
}

}  // namespace muster::results
