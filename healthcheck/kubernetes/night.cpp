// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/night.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>

#include "healthcheck/kubernetes/blocking_reasons.hpp"
#include "healthcheck/kubernetes/job_state.hpp"
#include "healthcheck/kubernetes/kubernetes_nodes.hpp"
#include "healthcheck/kubernetes/retry.hpp"
#include "healthcheck/program/deadline.hpp"
#include "results/json/report_json.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double first_look_pause = 1;  // between looks, longer with each that brings nothing
constexpr double max_look_pause = 10;
constexpr double for_last_words = 20;  // after the deadline, to delete what still runs

// A pod that tests a node.
struct Test {
  std::string node;
  Clock::time_point made;
  bool was_seen = false;
};

// As the scheduler says that others have what a pod wants; anything else is no excuse.
bool is_without_room(const std::string& unschedulable) {
  return unschedulable.find("Insufficient ") != unschedulable.npos ||
         unschedulable.find("Too many pods") != unschedulable.npos;
}

class Nightly {
 public:
  Nightly(const Server& server, const Night& night, Stop& stop, const std::function<void(const std::string&)>& say)
      : night_(night),
        end_(Clock::now() + ticks(night.deadline_seconds)),
        stop_(stop),
        say_(say),
        api_(server, end_ + ticks(for_last_words), [] { return false; }) {}

  Tested result() {
    if (retry_until([&] { find_nodes(); }, stop_, end_, [&](const RequestFailure& setback) { take_setback(setback); }))
      return std::move(tested_);
    say_(fmt::format("{} nodes are to be tested, {} of them cannot be", tested_.nodes.size(),
                     tested_.found.absences.size()));
    double pause = first_look_pause;
    while ((!waiting_.empty() || !running_.empty()) && !is_over()) {
      const auto before = waiting_.size() + running_.size();
      take_setback(attempt([&] { start(); }));
      take_setback(attempt([&] { look(); }));
      const bool is_news = waiting_.size() + running_.size() != before;
      pause = is_news ? first_look_pause : std::min(1.5 * pause, max_look_pause);
      if (!running_.empty() || !waiting_.empty()) stop_.wait_until(std::min(end_, Clock::now() + ticks(pause)));
    }
    give_up();
    return std::move(tested_);
  }

 private:
  bool is_over() { return stop_.is_told() || Clock::now() >= end_; }

  void take_setback(const std::optional<RequestFailure>& setback) {
    if (setback && last_setback_ != setback->reason) say_(setback->reason);
    last_setback_ = setback ? setback->reason : "";
  }

  std::string pods_path() const { return fmt::format("/api/v1/namespaces/{}/pods", night_.name_space); }

  // Those of this night.
  std::map<std::string, Pod> pods() {
    std::map<std::string, Pod> found;
    api_.list(pods_path(), fmt::format("muster/night={}", night_.name), [&](const std::string& json) {
      auto page = pods_from_json(json);
      for (auto& pod : page.pods) found[pod.name] = std::move(pod);
      return page.next;
    });
    return found;
  }

  void find_nodes() {
    const auto nodes = kubernetes_nodes(api_, night_.selector);
    const auto work = night_.when_busy == WhenBusy::idle_only
                          ? work_on_nodes(api_, fmt::format("{}/{}", night_.name_space, night_.owner.name))
                          : Work{};
    for (const auto& node : nodes) {
      tested_.nodes.push_back(node.name);
      const auto user = work.find(node.name);
      if (!node.obstacle.empty())
        tested_.found.absences[node.name] = {node.obstacle};
      else if (user != work.end())
        tested_.found.absences[node.name] = {fmt::format("it was in use: pod {} is on it", user->second), true};
      else
        waiting_.push_back(node.name);
    }
  }

  void start() {
    while (!waiting_.empty() && running_.size() < night_.at_once && !is_over()) {
      const auto& node = waiting_.front();
      const auto pod = pod_for(night_.pod_template, night_.name, node, night_.owner);
      api_.create(pods_path(), pod.json);
      running_[pod.name] = {.node = node, .made = Clock::now()};
      waiting_.pop_front();
    }
  }

  void look() {
    if (running_.empty()) return;
    const auto all = pods();
    for (auto test = running_.begin(); test != running_.end();) {
      const auto pod = all.find(test->first);
      const bool is_done = pod == all.end() ? vanished(test->second) : judge(test->second, pod->second);
      if (is_done && pod != all.end()) api_.remove(fmt::format("{}/{}", pods_path(), test->first));
      test = is_done ? running_.erase(test) : std::next(test);
    }
  }

  // What is known already stays: the pod may have been deleted from here, by a request whose answer was lost.
  bool vanished(const Test& test) {
    if (test.was_seen) tested_.found.absences.try_emplace(test.node, Absence{"its pod was deleted before it ended"});
    return test.was_seen;  // else the list is older than the pod
  }

  // Whether the pod tells all that it ever will.
  bool judge(Test& test, const Pod& pod) {
    test.was_seen = true;
    for (const Container& container : pod.containers)
      if (container.ended) return take_words(test, pod, *container.ended);
    if (pod.phase == "Failed" || pod.phase == "Succeeded") {
      tested_.found.absences[test.node] = {how_it_ended(pod)};
      return true;
    }
    if (pod.unschedulable.empty() || night_.when_busy == WhenBusy::wait ||
        Clock::now() < test.made + ticks(night_.busy_seconds))
      return false;
    const bool is_in_use = is_without_room(pod.unschedulable);
    tested_.found.absences[test.node] = {
        fmt::format("{}: {}", is_in_use ? "it was in use" : "no pod can be started there",
                    results::shortened(pod.unschedulable, 300)),
        is_in_use};
    return true;
  }

  bool take_words(const Test& test, const Pod& pod, const Ended& end) {
    try {
      auto summary = results::summary_from_message(end.message);
      for (auto& problem : summary.problems) {
        if (problem.host == summary.host) problem.host = test.node;
        const auto host = problem.labels.find("host");
        if (host != problem.labels.end() && host->second == summary.host) host->second = test.node;
      }
      summary.host = test.node;  // which the pod need not know
      if (const auto harm = harm_after(summary, end); !harm.empty()) {
        tested_.found.absences[test.node] = {fmt::format("pod {} {}", pod.name, harm)};
        return true;
      }
      const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
      tested_.found.reports.push_back({"pod " + pod.name, now, false, std::move(summary), true});
    } catch (const results::Error& error) {
      tested_.found.absences[test.node] = {
          fmt::format("pod {} left no report: {}; {}", pod.name, how_it_ended(pod), error.what())};
    }
    return true;
  }

  // At the end of the time.
  void give_up() {
    const std::string why = stop_.is_told()
                                ? "the night was stopped by a signal"
                                : fmt::format("there was no time for it within {:.0f} s", night_.deadline_seconds);
    for (const auto& node : waiting_) tested_.found.absences[node] = {why};
    if (running_.empty()) return;
    std::map<std::string, Pod> all;
    attempt([&] { all = pods(); });
    for (const auto& [name, test] : running_) {
      const auto reason = all.contains(name) ? blocking_reason(all[name]) : "";
      tested_.found.absences[test.node] = {reason.empty() ? why : fmt::format("{}: {}", why, reason)};
      take_setback(attempt([&] { api_.remove(fmt::format("{}/{}", pods_path(), name)); }));
    }
  }

  Night night_;
  Clock::time_point end_;
  Stop& stop_;
  const std::function<void(const std::string&)>& say_;
  KubernetesApi api_;
  std::deque<std::string> waiting_;
  std::map<std::string, Test> running_;  // by the names of their pods
  Tested tested_;
  std::string last_setback_;
};

}  // namespace

Tested test_nodes(const Server& server, const Night& night, Stop& stop,
                  const std::function<void(const std::string&)>& say) {
  return Nightly(server, night, stop, say).result();
}

}  // namespace muster::healthcheck::fleet
