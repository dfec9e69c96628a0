// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace muster::healthcheck {

// The time of several steps: what one of them takes beyond its share is taken from those after it, up to a half of
// theirs.
class Timetable {
 public:
  using Clock = std::chrono::steady_clock;

  // From now on.
  explicit Timetable(Clock::duration all) : all_(all), end_(Clock::now() + all) {}

  // When the next step must end, with such a share of all; the shares are 1 together.
  Clock::time_point next(double share);

 private:
  Clock::duration all_;
  Clock::time_point end_;
  double left_ = 1;
};

}  // namespace muster::healthcheck
