// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
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

Sampled sampled_alone(const std::vector<double>& script, const SamplingGoal& goal, const Budget& budget) {
  return sample(*make_ranks(), Script(script), Unit::byte_per_second, goal, budget);
}

Sampled fed(const std::vector<double>& rates, const SamplingGoal& goal) {
  Sampling sampling(goal);
  for (Clock::time_point at; const double rate : rates)
    if (!sampling.reached()) sampling.add(rate, at += std::chrono::seconds(1));
  return std::move(sampling).result(Unit::byte_per_second);
}

std::vector<double> joined(std::vector<double> first, std::size_t count, double value) {
  first.insert(first.end(), count, value);
  return first;
}

constexpr SamplingGoal told_apart{.thresholds = Thresholds{.pass = 100, .fail = 90}, .noise = 0.02, .count = {}};

TEST(Sample, EndsAtSixEqualValues) {
  const auto sampled = sampled_alone({100}, {}, plenty());
  EXPECT_EQ(sampled.samples.values, std::vector<double>(6, 100));
  EXPECT_EQ(sampled.samples.unit, Unit::byte_per_second);
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::precise);
  EXPECT_EQ(sampled.stopping.rule, "precision of the median");
  EXPECT_EQ(sampled.stopping.n, 6u);
}

TEST(Sample, GoesOnUntilOutliersNoLongerCount) {
  const auto sampled = sampled_alone({50, 100, 100, 100, 100, 100}, {}, plenty());
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::precise);
  EXPECT_GT(sampled.stopping.n, 6u);
  EXPECT_LT(sampled.stopping.n, 25u);
}

TEST(Sample, SaysBudgetWhenTheMostSamplesWereTaken) {
  const auto sampled = sampled_alone({50, 100}, {}, {.end = plenty().end, .most = 30});
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::budget);
  EXPECT_EQ(sampled.stopping.n, 30u);
}

TEST(Sample, TakesSixSamplesEvenWhenTheTimeIsOver) {
  const auto sampled = sampled_alone({50, 100}, {}, {.end = Clock::now(), .most = 1});
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::budget);
  EXPECT_EQ(sampled.stopping.n, 6u);
}

TEST(Sample, TakesAsManyAsWereAskedFor) {
  const auto sampled = sampled_alone({50, 100}, {.thresholds = {}, .noise = {}, .count = 40}, plenty());
  EXPECT_EQ(sampled.stopping.n, 40u);
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::fixed);
  EXPECT_EQ(sampled_alone({100}, {.thresholds = {}, .noise = {}, .count = 2}, plenty()).stopping.n, 2u);
}

// As many latencies as were asked for, of which the first are as `first` and the others as `then`.
Sampled counted(double first, double then, std::chrono::milliseconds sample_time) {
  constexpr std::size_t count = 100;
  Sampling sampling({.thresholds = Thresholds{.pass = 5e-6, .fail = 6e-6}, .noise = {}, .count = count});
  for (Clock::time_point at; !sampling.reached(); at += sample_time)
    sampling.add(sampling.n() < count ? first : then, at);
  return std::move(sampling).result(Unit::second);
}

TEST(Sampling, OfAGoodNumberEndsWithIt) {
  const auto good = counted(5e-6, 1, std::chrono::milliseconds(1));
  EXPECT_EQ(good.stopping.n, 100U);
  EXPECT_EQ(good.stopping.decision, results::StoppingDecision::fixed);
}

TEST(Sampling, OfANumberThatIsNotGoodIsLookedAtForAnotherSecond) {
  const auto disturbed = counted(7e-6, 4e-6, std::chrono::milliseconds(1));
  EXPECT_EQ(disturbed.stopping.n, 1100U);
  EXPECT_EQ(results::summarize(disturbed.samples).median, 4e-6);
  const auto bad = counted(7e-6, 7e-6, std::chrono::milliseconds(1));
  EXPECT_EQ(bad.stopping.n, 1100U);
  EXPECT_EQ(bad.stopping.decision, results::StoppingDecision::fixed);
}

TEST(Sampling, OfANumberThatTakesTooLongEndsWithWhatThereIs) {
  Sampling sampling({.thresholds = {}, .noise = {}, .count = 100, .time = std::chrono::seconds(3)});
  Clock::time_point at;
  for (; !sampling.reached(); at += std::chrono::seconds(1)) sampling.add(1, at);
  EXPECT_EQ(sampling.n(), 6U);
  EXPECT_EQ(std::move(sampling).result(Unit::second).stopping.decision, results::StoppingDecision::budget);
}

TEST(Sampling, DecidesByItsThresholdsAndSaysWhichTheyWere) {
  const auto good = fed(joined({}, 50, 103), told_apart);
  EXPECT_EQ(good.stopping.decision, results::StoppingDecision::pass);
  EXPECT_EQ(good.stopping.rule, "clipped sequential test");
  EXPECT_EQ(good.stopping.n, 7u);
  EXPECT_EQ(good.stopping.pass_edge, 100);
  EXPECT_EQ(good.stopping.fail_edge, 90);
  EXPECT_EQ(good.stopping.noise, 0.02);
  const auto bad = fed(joined({}, 50, 80), told_apart);
  EXPECT_EQ(bad.stopping.decision, results::StoppingDecision::fail);
  EXPECT_EQ(bad.stopping.n, 30u);
  EXPECT_EQ(bad.warm_up, 0u);
}

TEST(Sampling, IsInconclusiveBetweenTheThresholds) {
  EXPECT_EQ(fed(joined({}, 30, std::sqrt(90.0 * 100.0)), told_apart).stopping.decision,
            results::StoppingDecision::inconclusive);
}

TEST(Sampling, StaysDecidedWhateverComesLater) {
  Sampling sampling(told_apart);
  for (int sample = 0; sample < 60; ++sample) {
    sampling.add(sample < 10 ? 103 : 60);
    EXPECT_EQ(sampling.reached(), sample >= 6);
  }
  EXPECT_EQ(sampling.decision(), Decision::pass);
}

// A pass, of samples between the thresholds until it was decided, and of such as `then` behind that.
Sampled passed(double then) {
  Sampling sampling(told_apart);
  for (Clock::time_point at; !sampling.reached(); at += std::chrono::milliseconds(1))
    sampling.add(sampling.decision() == Decision::undecided ? 97 : then, at);
  return std::move(sampling).result(Unit::byte_per_second);
}

TEST(Sampling, OfAPassThatIsNotGoodIsLookedAtForAnotherSecond) {
  const auto disturbed = passed(103);
  EXPECT_EQ(disturbed.stopping.decision, results::StoppingDecision::pass);
  EXPECT_EQ(results::summarize(disturbed.samples).median, 103);
  const auto between = passed(97);
  EXPECT_EQ(between.stopping.decision, results::StoppingDecision::pass);
  EXPECT_EQ(between.stopping.n, disturbed.stopping.n);
  EXPECT_EQ(results::summarize(between.samples).median, 97);
}

TEST(Sampling, OfAPassWithoutTheTimeForAnotherLookIsAPass) {
  Sampling sampling(told_apart);
  while (sampling.decision() == Decision::undecided) sampling.add(97, {});
  EXPECT_FALSE(sampling.reached());
  EXPECT_EQ(std::move(sampling).result(Unit::byte_per_second).stopping.decision, results::StoppingDecision::pass);
}

TEST(Sampling, ForgivesAWarmUp) {
  const auto sampled = fed(joined({10, 20, 30, 40, 50, 60, 65, 70, 75, 80}, 40, 103), told_apart);
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::pass);
  EXPECT_EQ(sampled.warm_up, 10u);
  EXPECT_EQ(sampled.samples.values.front(), 103);
  EXPECT_EQ(sampled.samples.values.size() + sampled.warm_up, sampled.stopping.n);
}

TEST(Sampling, ForgivesNoSlownessThatStays) {
  const auto sampled = fed(joined({10, 20, 30, 40, 50, 60, 65, 70, 75, 80}, 60, 85), told_apart);
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::fail);
  EXPECT_EQ(sampled.warm_up, 10u);
}

TEST(Sampling, LeavesAWarmUpOutOfTheMedian) {
  const auto sampled = fed(joined({10, 20, 30, 40, 50}, 60, 100), {});
  EXPECT_EQ(sampled.stopping.decision, results::StoppingDecision::precise);
  EXPECT_EQ(sampled.samples.values.back(), 100);
}

TEST(Sampling, OfNothingHasNoResult) { EXPECT_THROW(Sampling({}).result(Unit::second), std::logic_error); }

TEST(SampleEach, GoesOnUntilTheLastOfThemIsPrecise) {
  Script steady({100});
  Script restless({50, 100, 100, 100, 100, 100});
  const auto sampled = sample_each([&] { return std::vector{steady(), restless()}; }, Unit::second, {}, plenty());
  ASSERT_EQ(sampled.size(), 2u);
  EXPECT_GT(sampled[0].stopping.n, 6u);
  EXPECT_EQ(sampled[0].stopping.n, sampled[1].stopping.n);
  EXPECT_EQ(sampled[1].stopping.decision, results::StoppingDecision::precise);
}

TEST(SampleEach, TakesSeveralRatesOfEachAtOnce) {
  std::vector<std::vector<double>> rates{{100, 100, 100}, {50, 50, 50}};
  const auto sampled = sample_each([&] { return rates; }, Unit::second, {}, plenty());
  ASSERT_EQ(sampled.size(), 2u);
  EXPECT_EQ(sampled[0].samples.values, std::vector<double>(6, 100));
  EXPECT_EQ(sampled[1].samples.values, std::vector<double>(6, 50));
}

TEST(SampleEach, SaysOfEachWhetherItIsPrecise) {
  Script steady({100});
  Script restless({50, 100});
  const auto sampled = sample_each(
      [&] {
        return std::vector{steady(), restless()};
      },
      Unit::second, {}, {.end = plenty().end, .most = 20});
  EXPECT_EQ(sampled.at(0).stopping.decision, results::StoppingDecision::precise);
  EXPECT_EQ(sampled.at(1).stopping.decision, results::StoppingDecision::budget);
  EXPECT_EQ(sampled.at(1).samples.values.size(), 20u);
}

}  // namespace
}  // namespace muster::benchmarks
