// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/stop.hpp"

#include <poll.h>

#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck {

bool Stop::is_told() {
  is_told_ = is_told_ || signals_.next().has_value();
  return is_told_;
}

void Stop::wait_until(std::chrono::steady_clock::time_point time) const {
  pollfd signal{.fd = signals_.descriptor(), .events = POLLIN, .revents = 0};
  poll(&signal, 1, milliseconds_until(time));
}

}  // namespace muster::healthcheck
