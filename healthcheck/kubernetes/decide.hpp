// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/kubernetes/job_state.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck::fleet {

// A job of ours as the API server last told it.
struct JobState {
  Job job;
  std::vector<Pod> launchers;  // more than one where the job tried again
  std::vector<Pod> workers;
  std::optional<PodGroup> group;
  std::string withdrawal;  // what was said when it was withdrawn
  std::string unseen;      // why workers, PodGroup or that are not known
};

struct Verdict {
  results::Status status = results::Status::unknown;
  std::string sentence;
  std::string summary;  // the launcher's JSON; empty where it left none
};

// The launcher's own summary once it has ended, else unknown with the reason; nothing while there is something to wait
// for. Only a summary that summary.schema.json accepts makes anything but unknown.
std::optional<Verdict> decide(const JobState& state);

// What stands between the job and its verdict: the first of the reasons that there are, worst first.
std::string blocking_reason(const JobState& state);

// A reason that does not go away by itself, as the name of an image that is none.
std::optional<std::string> permanent_reason(const JobState& state);

}  // namespace muster::healthcheck::fleet
