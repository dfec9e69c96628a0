// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/window.hpp"

#include <gtest/gtest.h>

namespace muster::benchmarks::disk {
namespace {

using std::chrono::milliseconds;

TEST(Window, OfAFastDiskIsShort) {
  EXPECT_EQ(window_of(64), milliseconds(5));
  EXPECT_EQ(window_of(100'000), milliseconds(5));
}

TEST(Window, OfASlowDiskHasRoomForSixteenTransfersOrEndsAllTheSame) {
  EXPECT_EQ(window_of(63), milliseconds(20));
  EXPECT_EQ(window_of(16), milliseconds(20));
  EXPECT_EQ(window_of(15), milliseconds(200));
  EXPECT_EQ(window_of(1), milliseconds(200));
}

}  // namespace
}  // namespace muster::benchmarks::disk
