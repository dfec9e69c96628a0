// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "healthcheck/kubernetes/decide.hpp"
#include "healthcheck/kubernetes/kubernetes_api.hpp"

namespace muster::healthcheck::fleet {

constexpr double between_looks = 1;  // in seconds

enum class Kind { volcano, core };

// A job by its name.
struct JobName {
  Kind kind = Kind::volcano;
  std::string name_space;
  std::string job;
};

// Looks at one job. What it throws is what KubernetesApi throws, and results::Error for an answer that is no object.
class JobObserver {
 public:
  JobObserver(KubernetesApi& api, JobName wanted) : api_(api), wanted_(std::move(wanted)) {}

  // The job and its launcher; nothing when there is no such job. Asked in this order, so that the pods of a job that
  // has ended are its last. What was known of the surroundings stays.
  std::optional<JobState> look();

  // Also what only explains: its workers, which may be many, its PodGroup, and once it has ended who withdrew it.
  void observe_details(JobState& state);

 private:
  std::vector<Pod> pods(const std::string& selector);
  std::vector<Pod> pods_of(const Job& job, const std::string& selector);
  std::optional<PodGroup> group(const Job& job);
  std::string withdrawal(const Job& job);

  KubernetesApi& api_;
  JobName wanted_;
  std::vector<Pod> workers_;
  std::optional<PodGroup> group_;
  std::string withdrawal_;
  std::string unseen_;
};

}  // namespace muster::healthcheck::fleet
