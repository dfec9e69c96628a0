// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace muster::healthcheck {

// The time of several steps: what one of them takes beyond its share is taken from those after it, up to a half of
// theirs.
class Timetable {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Timetable(Clock::duration all, Clock::time_point begin = Clock::now()) : all_(all), end_(begin + all) {}

  // When the next step must end, with such a share of all; the shares are 1 together.
  Clock::time_point next(double share, Clock::time_point now = Clock::now());
  // The same for a step that gains nothing by the time that others have left over.
  Clock::time_point next_of_share(double share, Clock::time_point now = Clock::now());

 private:
  Clock::duration all_;
  Clock::time_point end_;
  double left_ = 1;
};

}  // namespace muster::healthcheck
