// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/job_observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "healthcheck/kubernetes/withdraw.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::fleet {

std::optional<JobState> JobObserver::look() {
  const bool is_volcano = wanted_.kind == Kind::volcano;
  const auto* group = is_volcano ? "batch.volcano.sh/v1alpha1" : "batch/v1";
  const auto json = api_.get(fmt::format("/apis/{}/namespaces/{}/jobs/{}", group, wanted_.name_space, wanted_.job));
  if (!json) return std::nullopt;
  JobState state{.job = is_volcano ? volcano_job_from_json(*json) : core_job_from_json(*json)};
  const auto launchers = is_volcano ? fmt::format("volcano.sh/job-name={},volcano.sh/task-spec=launcher", wanted_.job)
                                    : state.job.selector;
  state.launchers = pods_of(state.job, launchers);
  state.workers = workers_;
  state.group = group_;
  state.withdrawal = withdrawal_;
  state.unseen = unseen_;
  return state;
}

void JobObserver::observe_details(JobState& state) {
  if (wanted_.kind == Kind::core) return;  // its pods are all launchers
  unseen_.clear();
  try {
    workers_ = pods_of(state.job, fmt::format("volcano.sh/job-name={},volcano.sh/task-spec!=launcher", wanted_.job));
    group_ = group(state.job);
    if (state.job.has_ended) withdrawal_ = withdrawal(state.job);
  } catch (const std::exception& error) {
    unseen_ = error.what();
  }
  state.workers = workers_;
  state.group = group_;
  state.withdrawal = withdrawal_;
  state.unseen = unseen_;
}

std::vector<Pod> JobObserver::pods(const std::string& selector) {
  std::vector<Pod> all;
  api_.list(fmt::format("/api/v1/namespaces/{}/pods", wanted_.name_space), selector, [&](const std::string& json) {
    Pods page = pods_from_json(json);
    std::ranges::move(page.pods, std::back_inserter(all));
    return page.next;
  });
  return all;
}

// Those of a job of the same name that was before it are not its own.
std::vector<Pod> JobObserver::pods_of(const Job& job, const std::string& selector) {
  auto all = pods(selector);
  std::erase_if(all, [&](const Pod& pod) { return pod.owner != job.uid; });
  return all;
}

// Volcano 1.15 calls it after the job and its uid, older ones after the job.
std::optional<PodGroup> JobObserver::group(const Job& job) {
  for (const auto& name : {fmt::format("{}-{}", job.name, job.uid), job.name}) {
    const auto json = api_.get(
        fmt::format("/apis/scheduling.volcano.sh/v1beta1/namespaces/{}/podgroups/{}", wanted_.name_space, name));
    if (json) return pod_group_from_json(*json);
  }
  return std::nullopt;
}

// The pods of the Job that the chart gives this task leave it as their last words.
std::string JobObserver::withdrawal(const Job& job) {
  for (const Pod& pod : pods(fmt::format("job-name={}-withdraw", job.name)))
    for (const Container& container : pod.containers)
      if (container.ended && container.ended->exit_code == exit_code(Start::withdrawn))
        return results::shortened(topology::trimmed(container.ended->message), 500);
  return "";
}

}  // namespace muster::healthcheck::fleet
