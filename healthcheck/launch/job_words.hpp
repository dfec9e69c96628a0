// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "healthcheck/check/check.hpp"

// What a user says of the check of a job, looked at before anything waits for a host.
namespace muster::healthcheck {

// The check of this name. Throws UsageError where there is none, or it does not run as a job.
const Description& job_of(const std::string& name, const std::vector<Description>& checks);

// The check's program and options. Throws UsageError where one of them is told to muster launch instead.
void expect_none_of_ours(const std::vector<std::string>& words);

// Asks the check itself. Throws UsageError with its words.
void expect_options(const std::vector<std::string>& command);

}  // namespace muster::healthcheck
