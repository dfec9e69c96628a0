// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nvml/words.hpp"

#include <gtest/gtest.h>

namespace muster::benchmarks::nvml {
namespace {

TEST(SlowClockWords, NameEveryReason) {
  EXPECT_EQ(slow_clock_words(0), "none");
  EXPECT_EQ(slow_clock_words(0x1), "none");  // idle
  EXPECT_EQ(slow_clock_words(0x4), "power cap");
  EXPECT_EQ(slow_clock_words(0x44), "power cap, heat (hardware)");
  EXPECT_EQ(slow_clock_words(0x1ff),
            "application clocks, power cap, hardware slowdown, sync boost, heat, heat (hardware), power brake, "
            "display clocks");
}

TEST(SlowClockWords, GiveABitThatIsNewAsANumber) {
  EXPECT_EQ(slow_clock_words(0x200), "bit 9");
  EXPECT_EQ(slow_clock_words(1ULL << 63), "bit 63");
}

TEST(FabricWords, AreThoseOfItsState) {
  EXPECT_EQ(fabric_state_words(2), "in progress");
  EXPECT_EQ(fabric_state_words(3), "completed");
  EXPECT_EQ(fabric_state_words(9), "state 9");
}

// Of each pair of bits 1 is yes, 2 is no and 0 unknown.
TEST(FabricWords, NameWhatAilsIt) {
  EXPECT_EQ(fabric_health_words(0), "none");
  EXPECT_EQ(fabric_health_words(0x1AA), "none");
  EXPECT_EQ(fabric_health_words(0x1A9), "degraded bandwidth");
  EXPECT_EQ(fabric_health_words(0x155),
            "degraded bandwidth, route recovery, unhealthy route, recovery after a timeout");
  EXPECT_EQ(fabric_health_words(0x4AA), "no partition");
  EXPECT_EQ(fabric_health_words(0x9AA), "configuration 9");
}

TEST(RecoveryActionWords, NameIt) {
  EXPECT_EQ(recovery_action_words(0), "none");
  EXPECT_EQ(recovery_action_words(4), "drain and reset");
  EXPECT_EQ(recovery_action_words(7), "action 7");
}

}  // namespace
}  // namespace muster::benchmarks::nvml
