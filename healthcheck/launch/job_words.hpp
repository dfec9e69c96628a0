// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "healthcheck/process/guard.hpp"

// What a user says of the check of a job, looked at before anything waits for a host.
namespace muster::healthcheck {

// The check of this name. Throws UsageError where there is none, or it does not run as a job.
const Description& job_of(const std::string& name, const std::vector<Description>& checks);

// The check's program and options. Throws UsageError where one of them is told to muster launch instead.
std::vector<std::string> command_of_job(std::string program, const std::vector<std::string>& options);

// The check's program, which looks at its options while this one goes on.
Guard ask_about_options(std::vector<std::string> command);

// Waits for its answer. Throws UsageError with its words.
void expect_options_are_right(Guard& asked);

}  // namespace muster::healthcheck
