// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/retry.hpp"

#include <algorithm>
#include <utility>

#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double first_pause = 0.5;
constexpr double max_pause = 10;
constexpr double rounding = 0.01;  // limits of requests are whole milliseconds, so that they may end a little early

// Whether the end broke off what has just ended, so that it tells less than what came before.
bool was_broken_off(Clock::time_point end) { return Clock::now() + ticks(rounding) >= end; }

}  // namespace

std::optional<RequestFailure> retry_until(const std::function<void()>& ask, Stop& stop,
                                          std::chrono::steady_clock::time_point end,
                                          const std::function<void(const RequestFailure&)>& tell) {
  std::optional<RequestFailure> before;
  for (double pause = first_pause;; pause = std::min(2 * pause, max_pause)) {
    auto setback = attempt(ask);
    if (!setback) return std::nullopt;
    if (before && was_broken_off(end)) return before;
    before = setback;
    if (!stop.is_told()) tell(*setback);  // what broke off by a signal is no news
    stop.wait_until(std::min(end, Clock::now() + ticks(pause)));
    if (stop.is_told()) return RequestFailure{.reason = "stopped by a signal"};
    if (Clock::now() >= end) return setback;
  }
}

bool FailureNews::is(const std::optional<RequestFailure>& setback) {
  const bool is_first = !std::exchange(has_looked_, true);
  return setback && !stop_.is_told() && (is_first || !was_broken_off(end_));
}

}  // namespace muster::healthcheck::fleet
