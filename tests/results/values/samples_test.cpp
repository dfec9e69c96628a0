// SPDX-License-Identifier: Apache-2.0
#include "results/values/samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace muster::results {
namespace {

std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

std::vector<double> log_normal(std::size_t n, std::mt19937_64& random) {
  std::lognormal_distribution<double> distribution(0, 1);
  std::vector<double> values(n);
  for (double& value : values) value = distribution(random);
  return values;
}

TEST(Samples, MedianIntervalHasThePublishedRanks) {
  const std::vector<std::pair<std::size_t, Interval>> published = {
      {6, {1, 6}}, {10, {2, 9}}, {15, {4, 12}}, {20, {6, 15}}, {30, {10, 21}}, {50, {18, 33}}, {60, {22, 39}}};
  for (const auto& [n, interval] : published) EXPECT_EQ(median_interval(ranks(n)), interval) << n << " values";
}

TEST(Samples, HaveNoMedianIntervalBelowSix) {
  for (std::size_t n = 0; n < 6; ++n) EXPECT_EQ(median_interval(ranks(n)), std::nullopt) << n << " values";
}

TEST(Samples, MedianIntervalCoversTheMedianInAtLeast95Percent) {
  std::mt19937_64 random(1);
  constexpr int runs = 20000;
  for (const std::size_t n : {6u, 9u, 25u, 101u}) {
    int covered = 0;
    for (int run = 0; run < runs; ++run) {
      auto values = log_normal(n, random);
      std::ranges::sort(values);
      const auto interval = median_interval(values);
      ASSERT_TRUE(interval);
      covered += interval->low <= 1 && 1 <= interval->high;
    }
    EXPECT_GE(covered, 0.945 * runs) << n << " values";
  }
}

TEST(Samples, MedianIntervalIsNarrowForManyValues) {
  const auto interval = median_interval(ranks(1000000));
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->high - interval->low, 1.96 * 1000, 5);
}

TEST(Samples, SummaryOfLiterals) {
  const Summary summary = summarize({Unit::second, {4, 1, 3, 2, 5}});
  EXPECT_EQ(summary.n, 5u);
  EXPECT_EQ(summary.minimum, 1);
  EXPECT_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.p95, 4.8);
  EXPECT_DOUBLE_EQ(summary.p99, 4.96);
  EXPECT_EQ(summary.maximum, 5);
  EXPECT_DOUBLE_EQ(summary.spread, 1.4826 / 3);
  EXPECT_EQ(summary.median_interval, std::nullopt);
}

TEST(Samples, OneValueIsItsOwnSummary) {
  const Summary expected{1, 7, 7, 7, 7, 7, 0, std::nullopt};
  EXPECT_EQ(summarize({Unit::one, {7}}), expected);
}

TEST(Samples, SpreadIsZeroWhereTheMedianIs) {
  EXPECT_EQ(summarize({Unit::one, {-1, 0, 1}}).spread, 0);
  EXPECT_EQ(summarize({Unit::one, {0, 0, 0}}).spread, 0);
}

TEST(Samples, OneOutlierOfManyDoesNotMoveTheSpread) {
  std::vector<double> values(21, 100);
  values.front() = 1;
  EXPECT_EQ(summarize({Unit::one, values}).spread, 0);
}

// By definition: sorts all distances.
double spread_by_definition(std::vector<double> values) {
  const double centre = median(values);
  for (double& value : values) value = std::abs(value - centre);
  return 1.4826 * median(values) / std::abs(centre);
}

TEST(Samples, TheSpreadIsTheMedianDeviation) {
  std::mt19937_64 random(5);
  for (std::size_t n = 1; n <= 50; ++n) {
    auto values = log_normal(n, random);
    if (n % 3 == 0) values.resize(n + 2, values.front());  // with ties
    EXPECT_EQ(summarize({Unit::one, values}).spread, spread_by_definition(values)) << n << " values";
  }
}

TEST(Samples, ShareAboveCountsWhatTheMedianHides) {
  EXPECT_EQ(share_above(std::vector<double>{10, 10, 10, 16}, 15), 0.25);
  EXPECT_EQ(share_above(std::vector<double>{10, 10, 15}, 15), 0.0) << "no more than the limit";
  EXPECT_EQ(share_above(std::vector<double>{3}, 4.5), 0.0);
}

TEST(Samples, OrderDoesNotMatter) {
  std::mt19937_64 random(2);
  auto values = log_normal(37, random);
  const Summary first = summarize({Unit::one, values});
  for (int shuffle = 0; shuffle < 100; ++shuffle) {
    std::ranges::shuffle(values, random);
    EXPECT_EQ(summarize({Unit::one, values}), first);
  }
}

TEST(Samples, FollowAnAffineChangeOfScale) {
  std::mt19937_64 random(3);
  for (const auto& [factor, offset] : {std::pair{3.0, 0.0}, std::pair{1e9, 0.0}, std::pair{0.5, 10.0}}) {
    const auto values = log_normal(64, random);
    auto changed = values;
    for (double& value : changed) value = factor * value + offset;
    const Summary before = summarize({Unit::one, values});
    const Summary after = summarize({Unit::one, changed});
    const double tolerance = 1e-12 * (factor * before.maximum + offset);
    EXPECT_NEAR(after.median, factor * before.median + offset, tolerance);
    EXPECT_NEAR(after.p95, factor * before.p95 + offset, tolerance);
    EXPECT_NEAR(after.median_interval->low, factor * before.median_interval->low + offset, tolerance);
    EXPECT_NEAR(after.spread * after.median, factor * before.spread * before.median, tolerance);
  }
}

TEST(Samples, QuantilesRiseFromMinimumToMaximum) {
  std::mt19937_64 random(4);
  auto values = log_normal(23, random);
  std::ranges::sort(values);
  EXPECT_EQ(quantile(values, 0), values.front());
  EXPECT_EQ(quantile(values, 1), values.back());
  for (double q = 0; q < 1; q += 0.01) EXPECT_LE(quantile(values, q), quantile(values, std::min(1.0, q + 0.01)));
}

TEST(Samples, RefuseNothingAndWhatIsNotFinite) {
  EXPECT_THROW(summarize({Unit::one, {}}), std::invalid_argument);
  EXPECT_THROW(summarize({Unit::one, {1, std::numeric_limits<double>::quiet_NaN()}}), std::invalid_argument);
  EXPECT_THROW(summarize({Unit::one, {1, std::numeric_limits<double>::infinity()}}), std::invalid_argument);
}

}  // namespace
}  // namespace muster::results
