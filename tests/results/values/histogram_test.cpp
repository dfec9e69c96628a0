// SPDX-License-Identifier: Apache-2.0
#include "results/values/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace muster::results {
namespace {

using std::chrono::nanoseconds;

TEST(Histogram, OfNothingSaysZero) {
  EXPECT_EQ(Histogram().n(), 0);
  EXPECT_EQ(Histogram().quantile_seconds(0.5), 0);
  EXPECT_EQ(Histogram().maximum_seconds(), 0);
}

TEST(Histogram, OfOneTimeSaysThatTimeAtEveryShare) {
  for (const auto time : {1, 255, 256, 257, 1'000, 123'456'789}) {
    Histogram histogram;
    histogram.add(nanoseconds(time));
    for (const double share : {0.0, 0.5, 0.999, 1.0})
      EXPECT_NEAR(histogram.quantile_seconds(share) * 1e9, time, time / 256.0) << time;
    EXPECT_DOUBLE_EQ(histogram.maximum_seconds(), time * 1e-9);
  }
}

// The bound that the header states, at every share, of times from nanoseconds to minutes.
TEST(Histogram, IsOffByOne256thAtMost) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(0, 39);
  std::vector<double> times(20'000);
  Histogram histogram;
  for (auto& time : times) {
    time = std::floor(std::exp2(exponent(random)));
    histogram.add(nanoseconds(static_cast<std::int64_t>(time)));
  }
  std::ranges::sort(times);
  for (std::size_t at = 0; at < times.size(); ++at) {
    const double share = static_cast<double>(at + 1) / static_cast<double>(times.size());
    ASSERT_NEAR(histogram.quantile_seconds(share - 1e-9) * 1e9, times[at], times[at] / 256 + 1e-6) << at;
  }
  EXPECT_DOUBLE_EQ(histogram.maximum_seconds(), times.back() * 1e-9);
}

TEST(Histogram, KeepsTheTailApartThatAnAverageHides) {
  Histogram histogram;
  for (int count = 0; count < 9'985; ++count) histogram.add(nanoseconds(100'000));
  for (int count = 0; count < 15; ++count) histogram.add(nanoseconds(50'000'000));
  EXPECT_NEAR(histogram.quantile_seconds(0.99), 100e-6, 1e-6);
  EXPECT_NEAR(histogram.quantile_seconds(0.999), 50e-3, 0.5e-3);
}

TEST(Histogram, AddsUpWithOthers) {
  Histogram one;
  Histogram other;
  one.add(nanoseconds(10));
  other.add(nanoseconds(30));
  other.add(nanoseconds(20));
  one.add(other);
  EXPECT_EQ(one.n(), 3);
  EXPECT_DOUBLE_EQ(one.quantile_seconds(0.5), 20e-9);
  EXPECT_DOUBLE_EQ(one.maximum_seconds(), 30e-9);
}

TEST(Histogram, CountsWhatIsOutOfItsRange) {
  Histogram histogram;
  histogram.add(nanoseconds(-5));
  histogram.add(std::chrono::hours(2));
  EXPECT_EQ(histogram.n(), 2);
  EXPECT_EQ(histogram.quantile_seconds(0.5), 0);
  EXPECT_EQ(histogram.maximum_seconds(), 7200);
  EXPECT_GT(histogram.quantile_seconds(1), 1000);
}

}  // namespace
}  // namespace muster::results
