// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampler.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace muster::benchmarks {
namespace {

using results::Unit;
using Clock = std::chrono::steady_clock;

// Gives the values one after the other, then from the start again.
class Script {
 public:
  explicit Script(std::vector<double> values) : values_(std::move(values)) {}
  double operator()() { return values_.at(calls_++ % values_.size()); }

 private:
  std::vector<double> values_;
  std::size_t calls_ = 0;
};

Budget plenty() { return {.end = Clock::now() + std::chrono::hours(1), .most = 1000}; }

TEST(Precision, IsNotReachedBelowSixValues) {
  EXPECT_FALSE(Precision().reached(std::vector<double>(5, 100)));
  EXPECT_TRUE(Precision().reached(std::vector<double>(6, 100)));
}

TEST(Precision, LooksAtBothSidesOfTheMedian) {
  EXPECT_FALSE(Precision(0.01).reached(std::vector<double>{98, 100, 100, 100, 100, 100}));
  EXPECT_FALSE(Precision(0.01).reached(std::vector<double>{100, 100, 100, 100, 100, 102}));
  EXPECT_TRUE(Precision(0.03).reached(std::vector<double>{98, 100, 100, 100, 100, 102}));
}

TEST(Precision, IsNotFooledByTheOrderOfTheValues) {
  EXPECT_FALSE(Precision(0.01).reached(std::vector<double>{100, 90, 100, 100, 110, 100}));
}

TEST(Sample, EndsAtSixEqualValues) {
  const auto sampled = sample(Script({100}), Unit::byte_per_second, Precision(), plenty());
  EXPECT_EQ(sampled.samples.values, std::vector<double>(6, 100));
  EXPECT_EQ(sampled.samples.unit, Unit::byte_per_second);
  EXPECT_EQ(sampled.stopping.decision, "precise");
  EXPECT_EQ(sampled.stopping.rule, "precision of the median");
  EXPECT_EQ(sampled.stopping.n, 6u);
}

TEST(Sample, GoesOnUntilOutliersNoLongerCount) {
  const auto sampled = sample(Script({50, 100, 100, 100, 100, 100}), Unit::second, Precision(), plenty());
  EXPECT_EQ(sampled.stopping.decision, "precise");
  EXPECT_GT(sampled.stopping.n, 6u);
  EXPECT_LT(sampled.stopping.n, 20u);
}

TEST(Sample, SaysBudgetWhenTheMostSamplesWereTaken) {
  const auto sampled = sample(Script({50, 100}), Unit::second, Precision(), {.end = plenty().end, .most = 30});
  EXPECT_EQ(sampled.stopping.decision, "budget");
  EXPECT_EQ(sampled.stopping.n, 30u);
}

TEST(Sample, TakesSixSamplesEvenWhenTheTimeIsOver) {
  const auto sampled = sample(Script({50, 100}), Unit::second, Precision(), {.end = Clock::now(), .most = 1});
  EXPECT_EQ(sampled.stopping.decision, "budget");
  EXPECT_EQ(sampled.stopping.n, 6u);
}

TEST(SampleEach, GoesOnUntilTheLastOfThemIsPrecise) {
  Script steady({100});
  Script restless({50, 100, 100, 100, 100, 100});
  const auto sampled = sample_each(
      [&] {
        return std::vector{steady(), restless()};
      },
      Unit::second, Precision(), plenty());
  ASSERT_EQ(sampled.size(), 2u);
  EXPECT_GT(sampled[0].stopping.n, 6u);
  EXPECT_EQ(sampled[0].stopping.n, sampled[1].stopping.n);
  EXPECT_EQ(sampled[1].stopping.decision, "precise");
}

TEST(SampleEach, SaysOfEachWhetherItIsPrecise) {
  Script steady({100});
  Script restless({50, 100});
  const auto sampled = sample_each(
      [&] {
        return std::vector{steady(), restless()};
      },
      Unit::second, Precision(), {.end = plenty().end, .most = 20});
  EXPECT_EQ(sampled.at(0).stopping.decision, "precise");
  EXPECT_EQ(sampled.at(1).stopping.decision, "budget");
  EXPECT_EQ(sampled.at(1).samples.values.size(), 20u);
}

}  // namespace
}  // namespace muster::benchmarks
