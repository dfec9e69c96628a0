// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/kubernetes/decide.hpp"
#include "healthcheck/kubernetes/job_observer.hpp"
#include "healthcheck/kubernetes/kubernetes_api.hpp"
#include "healthcheck/program/stop.hpp"

namespace muster::healthcheck::fleet {

// Looks each second until there is a verdict, until waiting is of no use, until `wait_seconds` are over or `stop` is
// told. What is not the launcher's verdict is unknown, with the best reason there is.
Verdict wait_for_verdict(const Server& server, const JobName& wanted, double wait_seconds, Stop& stop);

}  // namespace muster::healthcheck::fleet
