// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/kubernetes/wait.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/stop.hpp"

namespace muster::healthcheck::fleet {

// What is asked about a job of Kubernetes.
struct JobRequest {
  ApiOptions api;
  std::string job;
};

void add_options(CommandLine& line, JobRequest& given);

// Runs `ask` for the job that is named; its exit code. Throws UsageError where none is.
int asked(const JobRequest& given, Kind kind, const std::function<int(const Server&, const JobName&, Stop&)>& ask);

}  // namespace muster::healthcheck::fleet
