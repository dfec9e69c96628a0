// SPDX-License-Identifier: Apache-2.0
#include "results/values/samples.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "results/values/binomial.hpp"

namespace muster::results {
namespace {

void expect_numbers(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("there are no samples to summarize");
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    throw std::invalid_argument("a sample is not a finite number");
}

// The median distance from the centre, which lies among the values: the nearest first, to both sides.
double median_deviation(std::span<const double> sorted, double centre) {
  auto right = static_cast<std::size_t>(std::ranges::lower_bound(sorted, centre) - sorted.begin());
  auto left = right;  // behind the next one on that side
  double before = 0;
  double deviation = 0;
  for (std::size_t passed = 0; passed <= sorted.size() / 2; ++passed) {
    before = deviation;
    const bool is_right = left == 0 || (right < sorted.size() && sorted[right] - centre <= centre - sorted[left - 1]);
    deviation = is_right ? sorted[right++] - centre : centre - sorted[--left];
  }
  return sorted.size() % 2 == 1 ? deviation : std::lerp(before, deviation, 0.5);
}

// The normal-consistent median absolute deviation as a share of the median; 0 where the median is 0.
double spread_of(std::span<const double> sorted, double centre) {
  return centre == 0 ? 0 : 1.4826 * median_deviation(sorted, centre) / std::abs(centre);
}

// The greatest rank r, from 1, whose value lies above the median with probability at most 2.5 %: P(B(n, 1/2) < r).
// 0 when there is none. What lies 12 standard deviations below the centre is left out of the sum.
std::size_t lower_rank(std::size_t n) {
  const auto count = static_cast<double>(n);
  auto rank = static_cast<std::size_t>(std::max(0.0, std::floor(count / 2 - 6 * std::sqrt(count))));
  double below = std::exp(log_binomial(n, rank, 0.5));
  while (below <= 0.025) below += std::exp(log_binomial(n, ++rank, 0.5));
  return rank;
}

Summary summary_of(std::span<const double> sorted) {
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

}  // namespace

Summary summarize(Samples samples) {
  expect_numbers(samples.values);
  std::ranges::sort(samples.values);
  return summary_of(samples.values);
}

Summary summarize_sorted(std::span<const double> sorted) {
  expect_numbers(sorted);
  return summary_of(sorted);
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

double share_above(std::span<const double> sorted, double limit) {
  const auto above = sorted.end() - std::ranges::upper_bound(sorted, limit);
  return static_cast<double>(above) / static_cast<double>(sorted.size());
}

std::optional<Interval> median_interval(std::span<const double> sorted) {
  const std::size_t rank = lower_rank(sorted.size());
  if (rank == 0) return std::nullopt;
  return Interval{sorted[rank - 1], sorted[sorted.size() - rank]};
}

}  // namespace muster::results
