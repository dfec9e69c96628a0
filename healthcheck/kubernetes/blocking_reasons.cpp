// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/blocking_reasons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "results/strings/joined_phrases.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::size_t longest = 300;
constexpr std::size_t max_named = 3;

using Phrase = std::function<std::string(const Pod&)>;

std::vector<Container> all_containers(const Pod& pod) {
  auto all = pod.setup;
  all.insert(all.end(), pod.containers.begin(), pod.containers.end());
  return all;
}

std::string with(std::string_view reason, std::string_view message) {
  if (message.empty()) return std::string(reason);
  if (reason.empty()) return results::shortened(message, longest);
  return fmt::format("{}: {}", reason, results::shortened(message, longest));
}

bool is_over(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

bool is_running(const Pod& pod) { return std::ranges::any_of(pod.containers, &Container::is_running); }

// Kubelet's reasons while nothing is wrong.
bool is_usual(const Waiting& waiting) {
  return waiting.reason.empty() || waiting.reason == "ContainerCreating" || waiting.reason == "PodInitializing";
}

// That do not change without a hand (kubernetes/pkg/kubelet/images/types.go).
bool is_lasting(const Waiting& waiting) {
  return waiting.reason == "ErrImageNeverPull" || waiting.reason == "InvalidImageName";
}

std::string stuck(const Pod& pod, bool (*counts)(const Waiting&)) {
  for (const Container& container : all_containers(pod))
    if (container.waiting && counts(*container.waiting))
      return fmt::format("container {} of pod {} waits with image {}: {}", container.name, pod.name, container.image,
                         with(container.waiting->reason, container.waiting->message));
  return "";
}

std::string failed(const Pod& pod) {
  return pod.phase == "Failed" ? fmt::format("pod {} failed: {}", pod.name, how_it_ended(pod)) : "";
}

// The node's controller marks pods of a dead node as not ready and leaves the states of their containers as they were.
bool is_lost(const Pod& pod) {
  if (pod.phase == "Unknown" || pod.reason == "NodeLost") return true;
  return pod.phase == "Running" && !pod.is_ready && !pod.containers.empty() &&
         std::ranges::all_of(pod.containers, &Container::is_ready);
}

std::string lost(const Pod& pod) {
  return is_lost(pod) ? fmt::format("pod {} is lost, as node {} does not answer", pod.name, pod.node) : "";
}

std::string unschedulable(const Pod& pod) {
  return pod.unschedulable.empty() || is_over(pod)
             ? ""
             : fmt::format("pod {} has no node: {}", pod.name, results::shortened(pod.unschedulable, longest));
}

std::string unready(const Pod& pod) {
  if (pod.is_ready || is_over(pod)) return "";
  std::string waits;
  for (const Container& container : all_containers(pod))
    if (waits.empty() && container.waiting) waits = container.waiting->reason;
  return fmt::format("pod {} is {}{} and not ready", pod.name, pod.phase, waits.empty() ? "" : " (" + waits + ")");
}

// The phrases of the pods that have one: three, and how many more.
std::string phrases(const std::vector<const Pod*>& pods, const Phrase& phrase) {
  std::vector<std::string> all;
  for (const Pod* pod : pods)
    if (auto each = phrase(*pod); !each.empty()) all.push_back(std::move(each));
  return results::joined_phrases(std::move(all), max_named, "; ");
}

std::vector<const Pod*> pods_of(const JobState& state) {
  std::vector<const Pod*> all;
  if (const Pod* launcher = newest_launcher(state)) all.push_back(launcher);
  for (const Pod& worker : state.workers) all.push_back(&worker);
  return all;
}

// Volcano leaves the condition where it is when the gang runs at last, and has none while the queue does not admit it.
std::string held_gang(const JobState& state) {
  if (!state.group || state.group->phase == "Running") return "";
  if (state.group->unschedulable.empty() && state.group->phase == "Pending" && pods_of(state).empty())
    return fmt::format("the pod group is Pending, as queue {} has no room for {}", state.group->queue,
                       state.group->wanted.empty() ? "it" : results::shortened(state.group->wanted, longest));
  if (state.group->unschedulable.empty()) return "";
  return "the pod group is unschedulable: " + results::shortened(state.group->unschedulable, longest);
}

std::string no_node(const JobState& state) {
  const std::string gang = held_gang(state);
  const std::string pods = phrases(pods_of(state), unschedulable);
  return gang.empty() ? pods : gang + after_semicolon(pods);
}

std::string launcher_state(const Pod& launcher) {
  const auto at = launcher.node.empty() ? "" : fmt::format(" on node {}", launcher.node);
  if (launcher.is_deleted)
    return fmt::format("the launcher pod {}{} is being deleted and does not end", launcher.name, at);
  return fmt::format("the launcher pod {}{} still runs", launcher.name, at);
}

}  // namespace

const Pod* newest_launcher(const JobState& state) {
  const auto newest = std::ranges::max_element(state.launchers, {}, &Pod::created);
  return newest == state.launchers.end() ? nullptr : &*newest;
}

std::string how_it_ended(const Ended& end) {
  return fmt::format("{}, exit code {}", end.reason.empty() ? "ended" : end.reason, end.exit_code);
}

std::string how_it_ended(const Pod& pod) {
  std::string text = with(pod.reason, pod.message);
  for (const Container& container : all_containers(pod)) {
    if (!container.ended || container.ended->reason == "Completed") continue;
    text += fmt::format("{}container {}: {}", text.empty() ? "" : "; ", container.name, how_it_ended(*container.ended));
  }
  return text.empty() ? "phase " + pod.phase : text;
}

std::string harm_after(const results::ReportSummary& summary, const Ended& end) {
  if (!is_good(summary.status) || end.exit_code == 0) return "";
  return fmt::format("says {} and then ended badly: {}", to_text(summary.status), how_it_ended(end));
}

std::string blocking_reason(const Pod& pod) {
  const auto unusual = [](const Waiting& waiting) { return !is_usual(waiting); };
  for (const auto& reason : {stuck(pod, unusual), failed(pod), lost(pod), unschedulable(pod), unready(pod)})
    if (!reason.empty()) return reason;
  return is_over(pod) ? "" : fmt::format("pod {} still runs", pod.name);
}

std::string described(const Job& job) {
  const std::string phase = job.phase.empty() ? "without a phase" : job.phase;
  return fmt::format("job {} is {}", job.name, with(phase, with(job.reason, job.message)));
}

std::string absent(const std::string& job, const std::string& name_space, bool was_seen) {
  return fmt::format("there is no job {} in namespace {}{}", job, name_space, was_seen ? " any more" : "");
}

std::string failures(const JobState& state) {
  std::vector<const Pod*> workers;
  for (const Pod& worker : state.workers) workers.push_back(&worker);
  return phrases(workers, failed);
}

std::string after_semicolon(const std::string& text) { return text.empty() ? "" : "; " + text; }

std::string blocking_reason(const JobState& state) {
  const auto pods = pods_of(state);
  const auto unusual = [](const Waiting& waiting) { return !is_usual(waiting); };
  const Pod* launcher = newest_launcher(state);
  const bool launched = launcher != nullptr && (launcher->is_deleted || is_running(*launcher));
  const std::array reasons{
      phrases(pods, [&](const Pod& pod) { return stuck(pod, unusual); }),
      failures(state),
      phrases(pods, lost),
      launched ? launcher_state(*launcher) + after_semicolon(phrases(pods, unready)) : no_node(state),
      phrases(pods, unready),
  };
  const auto found = std::ranges::find_if(reasons, [](const std::string& reason) { return !reason.empty(); });
  const std::string reason = found == reasons.end() ? "it has no launcher pod" : *found;
  return fmt::format("{}; {}{}", described(state.job), reason, after_semicolon(state.unseen));
}

std::optional<std::string> permanent_reason(const JobState& state) {
  const std::string reason = phrases(pods_of(state), [](const Pod& pod) { return stuck(pod, is_lasting); });
  return reason.empty() ? std::nullopt : std::optional(reason);
}

}  // namespace muster::healthcheck::fleet
