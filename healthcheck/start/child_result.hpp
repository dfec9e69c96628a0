// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "healthcheck/process/supervise.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// Everything a child left behind.
struct ChildResult {
  ProcessExit ending;
  std::filesystem::path report;
  double limit_seconds = 0;        // the time it was given
  bool limited_by_budget = false;  // the budget of the whole run was shorter than the time for one check
};

// The run of a check as it is after its child's end: the facts of the child's own report where that is valid, and the
// outcome that its ending says. `running` is the same run before.
results::CheckRun run_of_child(const results::CheckRun& running, const ChildResult& remains);

}  // namespace muster::healthcheck
