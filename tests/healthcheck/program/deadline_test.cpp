// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/deadline.hpp"

#include <gtest/gtest.h>

namespace muster::healthcheck {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(Ticks, AreSecondsAndNeverOverflow) {
  EXPECT_EQ(ticks(0.25), 250ms);
  EXPECT_EQ(seconds(ticks(24)), 24);
  EXPECT_GT(steady_clock::now() + ticks(1e300), steady_clock::now());
}

TEST(MillisecondsUntil, AreRoundedUpAndBounded) {
  EXPECT_EQ(milliseconds_until(steady_clock::now() - 1s), 0);
  EXPECT_EQ(milliseconds_until(steady_clock::now() + 24h), 3'600'000);
  const int left = milliseconds_until(steady_clock::now() + 10s);
  EXPECT_GT(left, 5'000);
  EXPECT_LE(left, 10'000);
}

}  // namespace
}  // namespace muster::healthcheck
