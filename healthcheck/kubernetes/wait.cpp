// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "healthcheck/kubernetes/blocking_reasons.hpp"
#include "healthcheck/kubernetes/retry.hpp"
#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double between_looks_around = 5;
constexpr double grace_for_absent = 10;    // Helm makes the job and its Role a moment before it starts us, or after
constexpr double grace_for_hopeless = 15;  // a container runtime may have been asked too early
constexpr double grace_for_words = 5;      // what ended a job without a launcher says why
constexpr double grace_for_ended = 45;     // the usual 30 s that a pod has to end, and kubelet's word of it

// How long something has been so.
class Persistence {
 public:
  bool lasts(bool holds, double wanted) {
    if (!holds) since_.reset();
    if (holds && !since_) since_ = Clock::now();
    return since_ && seconds(Clock::now() - *since_) >= wanted;
  }

 private:
  std::optional<Clock::time_point> since_;
};

class Wait {
 public:
  Wait(const Server& server, const JobName& wanted, double wait_seconds, Stop& stop)
      : wanted_(wanted),
        start_(Clock::now()),
        end_(start_ + ticks(wait_seconds)),
        stop_(stop),
        api_(server, end_, [&stop] { return stop.is_told(); }),
        observer_(api_, wanted) {}

  Verdict verdict() {
    while (true) {
      if (auto verdict = look()) return *verdict;
      stop_.wait_until(std::min(end_, Clock::now() + ticks(between_looks)));
      if (stop_.is_told()) return unknown(fmt::format("stopped by a signal after {:.0f} s: {}", passed(), reason_));
      if (Clock::now() >= end_) return unknown(fmt::format("no verdict within {:.0f} s: {}", passed(), reason_));
    }
  }

 private:
  static Verdict unknown(std::string sentence) {
    return {.status = results::Status::unknown, .sentence = std::move(sentence)};
  }

  double passed() const { return seconds(Clock::now() - start_); }

  std::optional<Verdict> look() {
    std::optional<Verdict> verdict;
    const auto setback = attempt([&] {
      auto state = observer_.look();
      refused_.lasts(false, 0);
      if (absent_.lasts(!state, grace_for_absent))
        verdict = unknown(reason_);
      else if (state)
        verdict = judge(*state);
      else
        reason_ = absent(wanted_.job, wanted_.name_space, was_seen_);
    });
    if (news_.is(setback))
      reason_ = was_seen_ ? fmt::format("{} (last seen: {})", setback->reason, last_seen_) : setback->reason;
    if (setback && setback->is_refusal && refused_.lasts(true, grace_for_absent)) return unknown(setback->reason);
    return verdict;
  }

  std::optional<Verdict> judge(JobState& state) {
    was_seen_ = true;
    auto verdict = decide(state);
    if (verdict && !verdict->summary.empty()) return verdict;
    if (verdict || Clock::now() >= around_) {
      observer_.observe_details(state);
      if (stop_.is_told()) state.unseen.clear();
      around_ = Clock::now() + ticks(between_looks_around);
    }
    if (verdict && (!state.launchers.empty() || !state.withdrawal.empty() || wordless_.lasts(true, grace_for_words)))
      return decide(state);
    reason_ = last_seen_ = blocking_reason(state);
    const auto lasting = permanent_reason(state);
    if (hopeless_.lasts(lasting.has_value(), grace_for_hopeless) && lasting)
      return unknown(fmt::format("this will not resolve itself: {}", *lasting));
    if (ended_.lasts(state.job.has_ended, grace_for_ended)) return unknown(reason_);
    return std::nullopt;
  }

  JobName wanted_;
  Clock::time_point start_;
  Clock::time_point end_;
  Clock::time_point around_ = start_;
  Stop& stop_;
  KubernetesApi api_;
  JobObserver observer_;
  FailureNews news_{stop_, end_};
  bool was_seen_ = false;
  Persistence absent_, refused_, hopeless_, wordless_, ended_;
  std::string reason_ = "the API server has not answered yet";
  std::string last_seen_;
};

}  // namespace

Verdict wait_for_verdict(const Server& server, const JobName& wanted, double wait_seconds, Stop& stop) {
  return Wait(server, wanted, wait_seconds, stop).verdict();
}

}  // namespace muster::healthcheck::fleet
