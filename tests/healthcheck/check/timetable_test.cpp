// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/timetable.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace muster::healthcheck {
namespace {

using std::chrono::milliseconds;

constexpr Timetable::Clock::time_point begin{};

double milliseconds_for(Timetable& time, double share, milliseconds now) {
  return std::chrono::duration<double, std::milli>(time.next(share, begin + now) - (begin + now)).count();
}

TEST(Timetable, GivesEachStepItsShareOfWhatIsLeft) {
  Timetable time(milliseconds(10'000), begin);
  EXPECT_NEAR(milliseconds_for(time, 0.2, milliseconds(0)), 2000, 1);
  EXPECT_NEAR(milliseconds_for(time, 0.4, milliseconds(2000)), 4000, 1);
  EXPECT_NEAR(milliseconds_for(time, 0.4, milliseconds(3000)), 7000, 1) << "the one before was done early";
}

TEST(Timetable, LeavesEachAHalfWhereOneTookTooLong) {
  Timetable time(milliseconds(1000), begin);
  EXPECT_NEAR(milliseconds_for(time, 0.2, milliseconds(0)), 200, 1);
  EXPECT_NEAR(milliseconds_for(time, 0.4, milliseconds(600)), 200, 1);
  EXPECT_NEAR(milliseconds_for(time, 0.4, milliseconds(1100)), 200, 1) << "there is nothing left";
}

TEST(Timetable, LeavesOverWhatAStepCannotUse) {
  Timetable time(milliseconds(1000), begin);
  const auto milliseconds_of_share = [&](milliseconds now) {
    return std::chrono::duration<double, std::milli>(time.next_of_share(0.5, begin + now) - (begin + now)).count();
  };
  EXPECT_NEAR(milliseconds_of_share(milliseconds(0)), 500, 1);
  EXPECT_NEAR(milliseconds_of_share(milliseconds(100)), 500, 1) << "the one before was done early";
  Timetable late(milliseconds(1000), begin);
  late.next(0.5, begin);
  EXPECT_NEAR(std::chrono::duration<double>(late.next_of_share(0.5, begin + milliseconds(700)) - begin).count(), 1,
              1e-3)
      << "the one before took too long";
}

}  // namespace
}  // namespace muster::healthcheck
