// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "healthcheck/kubernetes/job_observer.hpp"
#include "healthcheck/kubernetes/job_state.hpp"
#include "healthcheck/kubernetes/kubernetes_api.hpp"
#include "healthcheck/program/stop.hpp"

namespace muster::healthcheck::fleet {

// What became of a job that was to start.
enum class Start { started, withdrawn, unknown };

// 0, 1 where it was withdrawn, 3 where nobody knows.
constexpr int exit_code(Start start) { return start == Start::started ? 0 : start == Start::withdrawn ? 1 : 3; }

struct Withdrawal {
  Start start = Start::unknown;
  std::string sentence;
};

// Looks each second until a job of Volcano has started or is gone. One that is pending after `after_seconds` is
// terminated, with the reason why it had to wait. Unknown where `stop` is told, and where neither was possible for two
// minutes more.
Withdrawal withdraw(const Server& server, const JobName& wanted, double after_seconds, Stop& stop);

// Volcano's Command that terminates the job (bus.volcano.sh/v1alpha1), named after its uid so that there is one.
std::string terminating_command(const Job& job);

}  // namespace muster::healthcheck::fleet
