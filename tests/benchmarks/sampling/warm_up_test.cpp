// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/warm_up.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "benchmarks/sweeps/noisy_machine.hpp"

namespace muster::benchmarks {
namespace {

std::vector<double> samples(const Scatter& scatter, std::size_t count) {
  NoisyMachine machine(scatter, 100, 1);
  std::vector<double> values(count);
  for (double& value : values) value = machine.sample();
  return values;
}

TEST(WarmUp, SlowFirstSamplesAreCutOff) {
  auto values = samples({}, 60);
  for (std::size_t at = 0; at < 10; ++at) values[at] *= 0.5;
  EXPECT_EQ(warm_up(values), 10U);
}

TEST(WarmUp, SteadySamplesStayAllButAFew) { EXPECT_LE(warm_up(samples({}, 60)), 10U); }

TEST(WarmUp, AtMostHalfIsCutOff) {
  std::vector<double> rising;
  for (int at = 0; at < 100; ++at) rising.push_back(at);
  EXPECT_LE(warm_up(rising), 50U);
}

TEST(WarmUp, FewSamplesHaveNone) {
  std::vector<double> values(19, 100);
  values[0] = 1;
  EXPECT_EQ(warm_up(values), 0U);
  EXPECT_EQ(warm_up({}), 0U);
}

TEST(Autocorrelation, IsFound) {
  EXPECT_NEAR(autocorrelation(samples({}, 4000)), 0, 0.05);
  EXPECT_NEAR(autocorrelation(samples({.autocorrelation = 0.5}, 4000)), 0.5, 0.05);
  EXPECT_EQ(autocorrelation(std::vector{1.0, 1.0, 1.0}), 0);
  EXPECT_EQ(autocorrelation(std::vector{1.0, 2.0}), 0);
}

}  // namespace
}  // namespace muster::benchmarks
