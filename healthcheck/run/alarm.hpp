// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace muster::healthcheck {

// Calls what it is given once a time has come, on a thread of its own, unless it is gone by then.
class Alarm {
 public:
  Alarm(std::chrono::steady_clock::time_point time, std::function<void()> ring);

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace muster::healthcheck
