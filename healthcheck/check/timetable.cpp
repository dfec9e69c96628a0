// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/timetable.hpp"

#include <algorithm>

namespace muster::healthcheck {

Timetable::Clock::time_point Timetable::next_of_share(double share, Clock::time_point now) {
  const auto part = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(all_) * share);
  return std::min(next(share, now), now + part);
}

Timetable::Clock::time_point Timetable::next(double share, Clock::time_point now) {
  const double part = left_ > share ? share / left_ : 1;
  left_ -= share;
  const std::chrono::duration<double> time =
      std::max<std::chrono::duration<double>>((end_ - now) * part, all_ * share / 2);
  return now + std::chrono::duration_cast<Clock::duration>(time);
}

}  // namespace muster::healthcheck
