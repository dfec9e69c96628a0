// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/rate_noise.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace muster::healthcheck::compare {
namespace {

results::Summary summary(double median, double half = 0.002, double spread = 0.002) {
  return {.n = 12,
          .median = median,
          .spread = spread,
          .median_interval = results::Interval{median * (1 - half), median * (1 + half)}};
}

std::vector<RatePair> pairs(const std::vector<double>& ratios) {
  std::vector<RatePair> all;
  for (const double ratio : ratios) all.push_back({.kind = "x.rate", .a = summary(100), .b = summary(100 * ratio)});
  return all;
}

std::vector<std::size_t> named(const std::vector<RatePair>& all) {
  const auto changes = changes_of(all);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i].is_named) found.push_back(i);
  return found;
}

TEST(RateNoise, TheQuantileIsThatOfANormalDistribution) {  // of Abramowitz and Stegun, table 26.1
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-9);
  EXPECT_NEAR(normal_quantile(0.025), 1.959964, 1e-6);
  EXPECT_NEAR(normal_quantile(0.00001), 4.264891, 1e-6);
}

TEST(RateNoise, QnIsTheStandardDeviationOfNormalValues) {
  std::mt19937_64 random(1);
  std::normal_distribution normal(0.0, 2.0);
  for (const std::size_t count : {399U, 5000U}) {
    std::vector<double> values(count);
    for (double& value : values) value = normal(random);
    EXPECT_NEAR(qn(values), 2, 0.25) << count;
  }
}

TEST(RateNoise, MoreRatesNeedMoreToBeNamed) {
  const auto noise_of = [](std::size_t count) {
    std::vector<RatePair> all;
    for (std::size_t i = 0; i < count; ++i)
      all.push_back({.kind = std::to_string(i), .a = summary(1, 0.01, 0.02), .b = summary(1, 0.01, 0.02)});
    return changes_of(all).front().noise;
  };
  EXPECT_NEAR(noise_of(300) / noise_of(2), 1.5, 0.1);
}

TEST(RateNoise, ManySiblingsThatAgreeShowThatRunsAreLessOffThanTheirSamples) {
  std::vector<RatePair> all;
  for (int i = 0; i < 20; ++i) {
    const double ratio = i == 7 ? 0.95 : 1 + 0.0005 * (i % 5 - 2);
    all.push_back({.kind = "x.rate", .a = summary(100, 0.002, 0.03), .b = summary(100 * ratio, 0.002, 0.03)});
  }
  EXPECT_EQ(named(all), std::vector<std::size_t>{7});
  all.erase(all.begin() + 12, all.end());
  EXPECT_TRUE(named(all).empty()) << "of few nobody can tell";
}

TEST(RateNoise, ThreePercentAreTheLeast) {
  EXPECT_TRUE(named(pairs({1, 1, 1, 1, 0.971})).empty());
  EXPECT_EQ(named(pairs({1, 1, 1, 1, 0.969})), std::vector<std::size_t>{4});
  EXPECT_NEAR(changes_of(pairs({1}))[0].noise, 0.03, 1e-9);
}

TEST(RateNoise, SiblingsThatAreApartAreNoise) {  // though the samples of each run agree
  EXPECT_TRUE(named(pairs({0.96, 1.03, 0.99, 1.04, 0.97, 1.01, 0.95, 1.02})).empty());
  EXPECT_EQ(named(pairs({1.001, 0.999, 1, 1.002, 0.998, 1, 0.95, 1})), std::vector<std::size_t>{6});
}

TEST(RateNoise, HalfOfTheSiblingsMayBeSlow) {
  EXPECT_EQ(named(pairs({1.001, 0.999, 1, 1.002, 0.95, 0.951, 0.949, 0.95})), (std::vector<std::size_t>{4, 5, 6, 7}));
}

TEST(RateNoise, AllOfTheSiblingsMayBeSlow) { EXPECT_EQ(named(pairs(std::vector(8, 0.95))).size(), 8U); }

TEST(RateNoise, AWideSpreadIsNoiseHoweverManySamplesThereAre) {
  std::vector<RatePair> all{{.kind = "x.rate", .a = summary(100, 0.001, 0.1), .b = summary(85, 0.001, 0.1)}};
  EXPECT_TRUE(named(all).empty());
  EXPECT_FALSE(changes_of(all).front().is_sensitive);
}

TEST(RateNoise, OnlySamplesCanBeCompared) {
  EXPECT_TRUE(is_comparable(summary(1), summary(2)));
  EXPECT_FALSE(is_comparable(summary(0), summary(2)));
  EXPECT_FALSE(is_comparable(summary(1), {.n = 5, .median = 1}));
}

}  // namespace
}  // namespace muster::healthcheck::compare
