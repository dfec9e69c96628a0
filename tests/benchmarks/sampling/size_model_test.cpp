// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/size_model.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::benchmarks {
namespace {

std::vector<Timed> timed_messages(double latency, double bandwidth) {
  std::vector<Timed> all;
  for (double bytes = 1024; bytes < 1e9; bytes *= 16)
    all.push_back({.bytes = bytes, .seconds = latency + bytes / bandwidth});
  return all;
}

TEST(SizeModel, FindsLatencyAndBandwidth) {
  const auto model = fit(timed_messages(20e-6, 5e9));
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->latency_seconds, 20e-6, 1e-12);
  EXPECT_NEAR(model->bytes_per_second, 5e9, 1);
  EXPECT_LT(model->worst_residual, 1e-9);
}

TEST(SizeModel, SaysHowFarTheWorstSizeIsFromIt) {
  auto timed = timed_messages(20e-6, 5e9);
  timed[2].seconds *= 1.5;
  const auto model = fit(timed);
  ASSERT_TRUE(model);
  EXPECT_GT(model->worst_residual, 0.1);
}

TEST(SizeModel, IsNoneWithoutThreeSizesOrWhereLargerIsNotSlower) {
  EXPECT_FALSE(fit(std::vector<Timed>{{1, 1}, {2, 2}}));
  EXPECT_FALSE(fit(std::vector<Timed>{{1, 1}, {1, 1}, {1, 1}}));
  EXPECT_FALSE(fit(std::vector<Timed>{{1, 3}, {2, 2}, {3, 1}}));
}

// Azure's published busbw of 8 H100 at 256 MiB and 8 GiB fits 134 us and 481 GB/s; 1 GiB was measured at 466 GB/s.
TEST(SizeModel, PredictsWhatAzureMeasured) {
  constexpr double factor = 1.75;
  const auto time = [](double bytes, double bus) { return Timed{bytes, bytes * factor / bus}; };
  const auto model = fit(std::vector<Timed>{time(0x1p28, 423e9), time(0x1p32, 475.5e9), time(0x1p33, 478.9e9)});
  ASSERT_TRUE(model);
  const double seconds = model->latency_seconds + 0x1p30 / model->bytes_per_second;
  EXPECT_NEAR(0x1p30 * factor / seconds, 466e9, 0.01 * 466e9);
}

}  // namespace
}  // namespace muster::benchmarks
