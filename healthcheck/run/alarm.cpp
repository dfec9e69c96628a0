// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/alarm.hpp"

#include <utility>

namespace muster::healthcheck {

Alarm::Alarm(std::chrono::steady_clock::time_point time, std::function<void()> ring)
    : thread_([this, time, ring = std::move(ring)](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        wake_.wait_until(lock, stop, time, [] { return false; });
        if (!stop.stop_requested()) ring();
      }) {}

}  // namespace muster::healthcheck
