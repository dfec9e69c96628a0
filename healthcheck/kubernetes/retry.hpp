// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "healthcheck/kubernetes/kubernetes_api.hpp"
#include "healthcheck/program/stop.hpp"

namespace muster::healthcheck::fleet {

// Asks the API server until it works, at longer and longer intervals, and tells each setback. The last one that came
// before the time was over, or that `stop` was told.
std::optional<RequestFailure> retry_until(const std::function<void()>& ask, Stop& stop,
                                          std::chrono::steady_clock::time_point end,
                                          const std::function<void(const RequestFailure&)>& tell);

// Which setbacks of looks at the API server say something new.
class FailureNews {
 public:
  FailureNews(Stop& stop, std::chrono::steady_clock::time_point end) : stop_(stop), end_(end) {}

  // Whether the look that has just ended met one that does: not what a signal broke off, nor what the end broke off
  // after other looks.
  bool is(const std::optional<RequestFailure>& setback);

 private:
  Stop& stop_;
  std::chrono::steady_clock::time_point end_;
  bool has_looked_ = false;
};

}  // namespace muster::healthcheck::fleet
