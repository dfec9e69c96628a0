// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "healthcheck/catalogue/metric.hpp"
#include "results/values/samples.hpp"

// Whether two medians differ by more than runs of one healthy machine do. Pure.
namespace muster::healthcheck::compare {

// A rate or a time that both have sampled.
struct RatePair {
  std::string kind;  // check and metric: those of one kind are measured alike
  Better better = Better::higher;
  results::Summary a, b;
};

// What its samples say.
struct RateChange {
  double difference = 0;  // of B, as a share of A
  double noise = 0;       // the least share by which it is named, the same for more and for less
  bool is_named = false;
  bool is_sensitive = false;  // a loss of 5 % would have been named in 95 of 100 such comparisons
};

// Whether both have what it takes: six samples, and medians above zero.
bool is_comparable(const results::Summary& a, const results::Summary& b);

// Least difference that is named: as that of peers.
inline constexpr double min_change = 0.03;

// Each pair is named where its difference, of logarithms, is at least min_change and at least as many times its
// standard error as leave less than two of a hundred healthy comparisons with any name at all (Bonferroni, 1936: of so
// many pairs each has its part of 2 %). The standard error has three parts: that of both medians by their 95 %
// intervals; what a run as a whole may be off, by the spread of its samples, because what disturbs a run lasts longer
// than a sample; and how far the differences of its kind are apart, where there are at least five: by Qn (Rousseeuw and
// Croux, 1993), which half of them being slow does not move.
std::vector<RateChange> changes_of(std::span<const RatePair> pairs);

// How far values are apart, as a standard deviation of normal ones: Qn, for at least two; of very many, a part of them.
double qn(std::span<const double> values);

// The z that a normal value exceeds with this probability, in (0, 0.5].
double normal_quantile(double exceeding);

}  // namespace muster::healthcheck::compare
