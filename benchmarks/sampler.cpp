// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampler.hpp"

#include <algorithm>
#include <cmath>

namespace muster::benchmarks {
namespace {

constexpr std::size_t least_samples = 6;  // below, the median has no interval

using Series = std::vector<double>;

bool spent(const Budget& budget, std::size_t n) {
  return n >= least_samples && (n >= budget.most || std::chrono::steady_clock::now() >= budget.end);
}

void append(std::vector<Series>& series, const std::vector<double>& values) {
  series.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) series[i].push_back(values[i]);
}

}  // namespace

bool Precision::reached(std::span<const double> values) const {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto interval = results::median_interval(sorted);
  if (!interval) return false;
  const double median = results::quantile(sorted, 0.5);
  return std::max(interval->high - median, median - interval->low) <= share_ * std::abs(median);
}

std::vector<Sampled> sample_each(const std::function<std::vector<double>()>& once, results::Unit unit,
                                 const Precision& precision, const Budget& budget) {
  const auto reached = [&](const Series& values) { return precision.reached(values); };
  std::vector<Series> series;
  do {
    append(series, once());
  } while (!std::ranges::all_of(series, reached) && !spent(budget, series.front().size()));

  std::vector<Sampled> sampled;
  for (auto& values : series) {
    const auto n = values.size();
    const auto* decision = reached(values) ? "precise" : "budget";
    sampled.push_back({.samples = {.unit = unit, .values = std::move(values)},
                       .stopping = {.rule = "precision of the median",
                                    .pass_edge = {},
                                    .fail_edge = {},
                                    .noise = {},
                                    .n = n,
                                    .decision = decision}});
  }
  return sampled;
}

Sampled sample(const std::function<double()>& once, results::Unit unit, const Precision& precision,
               const Budget& budget) {
  return sample_each([&] { return std::vector{once()}; }, unit, precision, budget).front();
}

}  // namespace muster::benchmarks
