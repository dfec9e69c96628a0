// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/stopping.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <optional>

#include "benchmarks/sweeps/noisy_machine.hpp"

namespace muster::benchmarks {
namespace {

constexpr Thresholds thresholds{.pass = 100, .fail = 90};
constexpr double noise = 0.02;

struct Ended {
  Decision decision = Decision::undecided;
  std::size_t n = 0;
};

Ended run(SequentialTest test, const std::function<double(std::size_t)>& rate,
          std::chrono::milliseconds sample_time = std::chrono::seconds(1)) {
  constexpr std::size_t most = 1000;
  Ended ended;
  for (std::chrono::steady_clock::time_point at; ended.decision == Decision::undecided && ended.n < most;
       at += sample_time)
    ended.decision = test.add(rate(ended.n++), at);
  return ended;
}

TEST(SequentialTest, SevenGoodSamplesPass) {
  const auto ended = run(SequentialTest(thresholds, noise), [](auto) { return 103.0; });
  EXPECT_EQ(ended.decision, Decision::pass);
  EXPECT_EQ(ended.n, 7U);
}

TEST(SequentialTest, ABadMachineFailsTwiceBeforeItIsAccused) {
  const auto ended = run(SequentialTest(thresholds, noise), [](auto) { return 85.0; });
  EXPECT_EQ(ended.decision, Decision::fail);
  EXPECT_EQ(ended.n, 20U);
}

TEST(SequentialTest, OneDisturbanceAccusesNobody) {
  const auto ended = run(SequentialTest(thresholds, noise), [](std::size_t at) { return at < 12 ? 60.0 : 103.0; });
  EXPECT_EQ(ended.decision, Decision::pass);
  EXPECT_EQ(ended.n, 10U + (2 + 9) + 7);  // one round lost, one won in spite of two more slow samples, one won
}

TEST(SequentialTest, ADisturbanceBelowHalfASecondSpoilsOneRoundOnly) {
  const auto ended = run(
      SequentialTest(thresholds, noise), [](std::size_t at) { return at < 490 ? 60.0 : 103.0; },
      std::chrono::milliseconds(1));
  EXPECT_EQ(ended.decision, Decision::pass);
  EXPECT_EQ(ended.n, 509U + 7 + 7);  // lost after the 10th, and two rounds from 500 ms later
}

TEST(SequentialTest, OneFastSampleHidesNothing) {
  const auto ended = run(SequentialTest(thresholds, noise), [](std::size_t at) { return at % 5 == 0 ? 1000.0 : 80.0; });
  EXPECT_EQ(ended.decision, Decision::fail);
}

TEST(SequentialTest, BetweenTheThresholdsItStaysUndecided) {
  const double middle = std::sqrt(thresholds.pass * thresholds.fail);
  EXPECT_EQ(run(SequentialTest(thresholds, noise), [&](auto) { return middle; }).decision, Decision::undecided);
}

TEST(SequentialTest, GoesBySignsWhereNoiseIsUnknownOrThresholdsAreClose) {
  EXPECT_EQ(SequentialTest(thresholds, noise).rule(), "clipped sequential test");
  EXPECT_EQ(SequentialTest(thresholds, std::nullopt).rule(), "sign test");
  EXPECT_EQ(SequentialTest(thresholds, 0.06).rule(), "sign test");
  EXPECT_EQ(SequentialTest(thresholds, 0.04).rule(), "clipped sequential test");
  EXPECT_EQ(SequentialTest(thresholds, 0.04, true).rule(), "sign test");
}

TEST(SequentialTest, ThresholdsTwoNoisesApartAreNotCloseByRounding) {
  const Thresholds apart{.pass = 1, .fail = std::exp(-2 * 0.01)};
  EXPECT_EQ(SequentialTest(apart, 0.01).rule(), "clipped sequential test");
}

TEST(SignTest, DecidesWithoutKnowingTheNoise) {
  EXPECT_EQ(run(SequentialTest(thresholds, std::nullopt), [](auto) { return 103.0; }).decision, Decision::pass);
  EXPECT_EQ(run(SequentialTest(thresholds, std::nullopt), [](auto) { return 85.0; }).decision, Decision::fail);
}

TEST(SequentialTest, TellsThresholdsApartWhereLessIsBetter) {
  constexpr Thresholds latencies{.pass = 5e-6, .fail = 6e-6};
  for (const auto known : {std::optional(noise), std::optional<double>()}) {
    const SequentialTest fresh(latencies, known);
    EXPECT_EQ(run(fresh, [](auto) { return 4e-6; }).decision, Decision::pass);
    EXPECT_EQ(run(fresh, [](auto) { return 7e-6; }).decision, Decision::fail);
  }
}

// The bounds of simulate_stopping, with as many runs as a test may take.
struct Share {
  double pass = 0;
  double fail = 0;
};

Share shares(const Scatter& scatter, Thresholds between, double truth) {
  constexpr std::size_t runs = 20'000;
  Share share;
  for (std::size_t seed = 1; seed <= runs; ++seed) {
    NoisyMachine machine(scatter, truth, seed);
    const auto ended =
        run(SequentialTest(between, scatter.noise, scatter.bursts), [&](auto) { return machine.sample(); });
    share.pass += ended.decision == Decision::pass ? 1.0 / runs : 0;
    share.fail += ended.decision == Decision::fail ? 1.0 / runs : 0;
  }
  return share;
}

class ErrorRates : public testing::TestWithParam<double> {};

TEST_P(ErrorRates, AtTheThresholds) {
  const double autocorrelation = GetParam();
  const Thresholds two{.pass = 1, .fail = std::exp(-0.06)};
  const Scatter single{.noise = 0.03, .outliers = 0.15, .autocorrelation = autocorrelation};
  EXPECT_LE(shares(single, two, two.fail).pass, 1.5e-3);
  EXPECT_LE(shares(single, two, two.pass).fail, 1.5e-4);
  const Thresholds three{.pass = 1, .fail = std::exp(-0.09)};
  const Scatter burst{.noise = 0.03, .outliers = 0.15, .bursts = true, .autocorrelation = autocorrelation};
  EXPECT_LE(shares(burst, three, three.fail).pass, 1.5e-3);
  EXPECT_LE(shares(burst, three, three.pass).fail, 1.5e-4);
}

INSTANTIATE_TEST_SUITE_P(Autocorrelation, ErrorRates, testing::Values(0.0, 0.5));

}  // namespace
}  // namespace muster::benchmarks
