// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/deadline.hpp"

#include <algorithm>

namespace muster::healthcheck {

using std::chrono::steady_clock;

steady_clock::duration ticks(double seconds) {
  return std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(std::min(seconds, 3e7)));
}

double seconds(steady_clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

int milliseconds_until(steady_clock::time_point time) {
  using namespace std::chrono;
  const auto now = steady_clock::now();
  if (time <= now) return 0;
  return static_cast<int>(std::min(ceil<milliseconds>(time - now), milliseconds(hours(1))).count());
}

}  // namespace muster::healthcheck
