// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/warm_up.hpp"

#include <limits>
#include <numeric>
#include <vector>

namespace muster::benchmarks {
namespace {

constexpr std::size_t group = 5;
constexpr std::size_t least = 20;

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares(std::span<const double> values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
}

}  // namespace

std::size_t warm_up(std::span<const double> values) {
  if (values.size() < least) return 0;
  std::vector<double> means;
  for (std::size_t at = 0; at + group <= values.size(); at += group) means.push_back(mean(values.subspan(at, group)));
  std::size_t best = 0;
  double best_error = std::numeric_limits<double>::max();
  for (std::size_t cut = 0; cut <= means.size() / 2; ++cut) {
    const auto rest = std::span(means).subspan(cut);
    const double error = squares(rest) / static_cast<double>(rest.size() * rest.size());
    if (error < best_error) {
      best_error = error;
      best = cut;
    }
  }
  return best * group;
}

double autocorrelation(std::span<const double> values) {
  const double all = values.size() < 3 ? 0 : squares(values);
  if (all == 0) return 0;
  const double centre = mean(values);
  double products = 0;
  for (std::size_t at = 1; at < values.size(); ++at) products += (values[at - 1] - centre) * (values[at] - centre);
  return products / all;
}

}  // namespace muster::benchmarks
