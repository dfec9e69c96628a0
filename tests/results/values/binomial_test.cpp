// SPDX-License-Identifier: Apache-2.0
#include "results/values/binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <thread>
#include <vector>

namespace muster::results {
namespace {

TEST(LogBinomial, OfLiterals) {
  EXPECT_NEAR(std::exp(log_binomial(4, 2, 0.5)), 6.0 / 16, 1e-12);
  EXPECT_NEAR(std::exp(log_binomial(3, 0, 0.25)), 27.0 / 64, 1e-12);
  EXPECT_NEAR(std::exp(log_binomial(3, 3, 0.25)), 1.0 / 64, 1e-12);
  EXPECT_EQ(log_binomial(0, 0, 0.5), 0);
}

TEST(LogBinomial, AllNumbersOfHitsTogetherAreCertain) {
  for (const double share : {0.5, 0.1, 1.0 / 3}) {
    double sum = 0;
    for (std::size_t hits = 0; hits <= 1000; ++hits) sum += std::exp(log_binomial(1000, hits, share));
    EXPECT_NEAR(sum, 1, 1e-9) << share;
  }
}

TEST(LogBinomial, ThreadsMayAskAtTheSameTime) {
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([] {
      for (std::size_t hits = 0; hits <= 1000; ++hits) EXPECT_LT(log_binomial(1000, hits, 0.5), 0);
    });
}

}  // namespace
}  // namespace muster::results
