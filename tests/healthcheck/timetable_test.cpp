// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/timetable.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace muster::healthcheck {
namespace {

using std::chrono::milliseconds;
using Clock = Timetable::Clock;

double milliseconds_until(Clock::time_point end) {
  return std::chrono::duration<double, std::milli>(end - Clock::now()).count();
}

TEST(Timetable, GivesEachStepItsShareOfWhatIsLeft) {
  Timetable time(milliseconds(10'000));
  EXPECT_NEAR(milliseconds_until(time.next(0.2)), 2000, 500);
  EXPECT_NEAR(milliseconds_until(time.next(0.4)), 5000, 500) << "the first took no time";
  EXPECT_NEAR(milliseconds_until(time.next(0.4)), 10'000, 500);
}

TEST(Timetable, LeavesEachAHalfWhereOneTookTooLong) {
  Timetable time(milliseconds(1000));
  std::this_thread::sleep_for(milliseconds(1100));
  EXPECT_NEAR(milliseconds_until(time.next(0.6)), 300, 50);
  EXPECT_NEAR(milliseconds_until(time.next(0.4)), 200, 50);
}

}  // namespace
}  // namespace muster::healthcheck
