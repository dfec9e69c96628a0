// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/run/job_failure.hpp"
#include "healthcheck/run/options.hpp"

namespace muster::healthcheck {

// A job whose report may have to be closed by another thread, or another rank, than the one that writes it.
struct RunningJob {
  const Options& options;
  const Setup& setup;
  std::string check;
  std::string run_id;
  int rank = 0;                    // this one
  std::vector<std::string> hosts;  // by rank
  std::chrono::steady_clock::time_point started;
  const std::optional<results::Report>& last;  // what was recorded of it, on the rank that writes
};

// The report of the job as it is on disk, with its trouble.
results::Report with_failure(results::Report report, const JobFailure& trouble, const RunningJob& job);

// Closes the job's report, on disk or where it is to be delivered, and ends this process by the report's exit code;
// where rank 0 is lost, rank 1 does, on disk only if its host has the report. Nobody else may write the report any
// more.
[[noreturn]] void close_report_and_exit(const JobFailure& trouble, const RunningJob& job);

}  // namespace muster::healthcheck
