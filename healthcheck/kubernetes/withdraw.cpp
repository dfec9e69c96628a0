// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/withdraw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "healthcheck/kubernetes/blocking_reasons.hpp"
#include "healthcheck/kubernetes/retry.hpp"
#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double for_trouble = 120;  // of the API server, once the time has come

bool is_pending(const Job& job) { return job.phase.empty() || job.phase == "Pending"; }

class Withdraw {
 public:
  Withdraw(const Server& server, const JobName& wanted, double after_seconds, Stop& stop)
      : wanted_(wanted),
        after_(after_seconds),
        due_(Clock::now() + ticks(after_seconds)),
        end_(due_ + ticks(for_trouble)),
        stop_(stop),
        api_(server, end_, [&stop] { return stop.is_told(); }),
        observer_(api_, wanted) {}

  Withdrawal result() {
    while (true) {
      if (const auto found = look()) return *found;
      stop_.wait_until(std::min(end_, Clock::now() + ticks(between_looks)));
      if (stop_.is_told()) return {Start::unknown, "stopped by a signal: " + last_};
      if (Clock::now() >= end_) return {Start::unknown, last_};
    }
  }

 private:
  std::optional<Withdrawal> look() {
    std::optional<Withdrawal> found;
    const auto setback = attempt([&] {
      auto state = observer_.look();
      if (state) {
        found = judge(*state);
        return;
      }
      last_ = absent(wanted_.job, wanted_.name_space, was_seen_);
      if (was_seen_) found = {Start::started, last_};
    });
    if (news_.is(setback)) last_ = setback->reason;
    return found;
  }

  std::optional<Withdrawal> judge(JobState& state) {
    was_seen_ = true;
    last_ = described(state.job);
    if (!is_pending(state.job)) return Withdrawal{Start::started, last_};
    if (Clock::now() < due_) return std::nullopt;
    observer_.observe_details(state);
    last_ = blocking_reason(state);
    api_.create(fmt::format("/apis/bus.volcano.sh/v1alpha1/namespaces/{}/commands", wanted_.name_space),
                terminating_command(state.job));
    return Withdrawal{Start::withdrawn, fmt::format("not started after {:.0f} s and withdrawn: {}", after_, last_)};
  }

  JobName wanted_;
  double after_;
  Clock::time_point due_;
  Clock::time_point end_;
  Stop& stop_;
  KubernetesApi api_;
  JobObserver observer_;
  FailureNews news_{stop_, end_};
  bool was_seen_ = false;
  std::string last_ = "the API server has not answered yet";
};

}  // namespace

Withdrawal withdraw(const Server& server, const JobName& wanted, double after_seconds, Stop& stop) {
  return Withdraw(server, wanted, after_seconds, stop).result();
}

}  // namespace muster::healthcheck::fleet
