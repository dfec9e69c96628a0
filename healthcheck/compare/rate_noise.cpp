// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/rate_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace muster::healthcheck::compare {
namespace {

using results::Summary;

constexpr double family_error = 0.02;  // of a comparison of healthy runs
constexpr double of_interval = 1.96;   // standard errors in half of a 95 % interval
constexpr double least_error = 0.001;  // of two runs, however much alike their samples are
constexpr std::size_t min_siblings = 5;
constexpr std::size_t many_siblings = 16;   // enough to show that runs are less apart than their samples
constexpr std::size_t enough_values = 400;  // to know how far they are apart to a twentieth
constexpr double of_95_percent = 1.645;
constexpr double told_loss = 0.05;

// By how much, of logarithms, the samples alone leave a median uncertain.
double sampling_error(const Summary& summary) {
  return (summary.median_interval->high - summary.median_interval->low) / (2 * of_interval) / summary.median;
}

// By how much a run as a whole may be off: half of how far its samples are apart; on a machine where these are apart by
// more than 2 %, because others share it, nearly all of it. healthcheck/compare/README.md has what was measured.
double run_error(const Summary& summary) {
  constexpr double most = 0.95;
  return -std::log1p(-std::min(most, std::max(summary.spread / 2, summary.spread - 0.01)));
}

double log_ratio(const RatePair& pair) { return std::log(pair.b.median / pair.a.median); }

// What makes Qn of few values right on average (Croux and Rousseeuw, 1992).
double of_few(std::size_t count) {
  constexpr std::array few{0.399, 0.994, 0.512, 0.844, 0.611, 0.857, 0.669, 0.872};  // of 2 to 9
  const auto n = static_cast<double>(count);
  if (count - 2 < few.size()) return few.at(count - 2);
  return count % 2 == 1 ? n / (n + 1.4) : n / (n + 3.8);
}

// The standard errors of the differences of pairs of one kind. Where these are further apart than their samples let
// expect, they are as far; where many show that whole runs are less off, this is what counts. A loss that all of them
// share is no noise, and changes nothing.
std::vector<double> errors_of(std::span<const RatePair* const> pairs) {
  std::vector<double> errors, ratios, by_error;
  for (const RatePair* pair : pairs) {
    const double run = std::hypot(run_error(pair->a), run_error(pair->b));
    const double sampling = std::hypot(sampling_error(pair->a), sampling_error(pair->b));
    errors.push_back(std::max(least_error, std::hypot(sampling, run)));
    ratios.push_back(log_ratio(*pair));
    by_error.push_back(ratios.back() / errors.back());
  }
  const double apart = pairs.size() < min_siblings ? 0 : qn(ratios);
  const double factor =
      pairs.size() < many_siblings ? 1 : std::min(1.0, std::hypot(qn(by_error), results::median(by_error)));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double sampling = std::hypot(sampling_error(pairs[i]->a), sampling_error(pairs[i]->b));
    errors[i] = std::max({factor * errors[i], sampling, apart});
  }
  return errors;
}

}  // namespace

bool is_comparable(const Summary& a, const Summary& b) {
  return a.median_interval && b.median_interval && a.median > 0 && b.median > 0;
}

double qn(std::span<const double> values) {
  constexpr double of_normal = 2.2219;
  const std::size_t step = (values.size() + enough_values - 1) / enough_values;
  std::vector<double> distances;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < values.size(); i += step, ++taken)
    for (std::size_t j = i + step; j < values.size(); j += step) distances.push_back(std::abs(values[i] - values[j]));
  const std::size_t half = taken / 2 + 1;
  const auto quarter = distances.begin() + static_cast<std::ptrdiff_t>(half * (half - 1) / 2 - 1);
  std::ranges::nth_element(distances, quarter);
  return of_few(taken) * of_normal * *quarter;
}

double normal_quantile(double exceeding) {
  double low = 0, high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > exceeding ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<RateChange> changes_of(std::span<const RatePair> pairs) {
  std::map<std::string, std::vector<std::size_t>> kinds;
  for (std::size_t i = 0; i < pairs.size(); ++i) kinds[pairs[i].kind].push_back(i);
  const double z = pairs.empty() ? 0 : normal_quantile(family_error / 2 / static_cast<double>(pairs.size()));
  std::vector<RateChange> changes(pairs.size());
  for (const auto& [kind, numbers] : kinds) {
    std::vector<const RatePair*> alike;
    for (const std::size_t number : numbers) alike.push_back(&pairs[number]);
    const auto errors = errors_of(alike);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double noise = std::max(-std::log1p(-min_change), z * errors[i]);
      changes[numbers[i]] = {.difference = alike[i]->b.median / alike[i]->a.median - 1,
                             .noise = -std::expm1(-noise),
                             .is_named = std::abs(log_ratio(*alike[i])) >= noise,
                             .is_sensitive = noise + of_95_percent * errors[i] <= -std::log1p(-told_loss)};
    }
  }
  return changes;
}

}  // namespace muster::healthcheck::compare
