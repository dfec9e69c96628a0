// SPDX-License-Identifier: Apache-2.0
#include "results/values/event_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace muster::results {
namespace {

// The chance that a mean of `mean` events gives `events` or more (Poisson).
double chance(int events, double mean) {
  double term = std::exp(-mean);
  double fewer = 0;
  for (int i = 0; i < events; ++i, term *= mean / i) fewer += term;
  return 1 - fewer;
}

TEST(LeastRate, OfNothingIsZero) {
  EXPECT_EQ(min_rate(0, 10), 0);
  EXPECT_EQ(min_rate(5, 0), 0);
}

TEST(LeastRate, IsOneThatSoManyEventsExceedOnceIn10000Times) {
  for (const int events : {1, 2, 3, 5, 10, 30, 100, 400})
    EXPECT_LE(chance(events, min_rate(events, 1)), 1.01e-4) << events;
  for (const int events : {30, 100, 400}) EXPECT_GE(chance(events, min_rate(events, 1)), 0.9e-4) << events;
}

TEST(LeastRate, OfManyEventsComesNearTheirMean) {
  EXPECT_GT(min_rate(1e6, 100), 0.99e4);
  EXPECT_LT(min_rate(1e6, 100), 1e4);
}

}  // namespace
}  // namespace muster::results
