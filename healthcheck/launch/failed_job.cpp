// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/failed_job.hpp"

#include <fmt/format.h>

namespace muster::healthcheck {
namespace {

using results::Outcome;
using Kind = ProcessExit::Kind;

}  // namespace

results::CheckRun with_words_of_launcher(results::CheckRun run, const ProcessExit& ending, const LaunchedJob& job) {
  const bool ended_by_itself = ending.kind == Kind::exited && run.outcome == Outcome::error;
  if (!ended_by_itself && run.outcome != Outcome::timed_out) return run;
  const auto failure = why_launcher_failed(ending.said, ending.code, job);
  if (ended_by_itself)
    run.reason =
        fmt::format("mpirun ended with {} and no report came back from the job: {}", ending.code, failure.sentence);
  else if (failure.is_known)
    run.reason += fmt::format("; it said: {}", failure.sentence);
  else
    return run;
  for (const auto& host : failure.hosts)
    run.measurements.push_back({.metric = results::metric_name(run.check, "failed_host"),
                                .value = failure.cause,
                                .labels = {{"host", host}},
                                .summary = {},
                                .stopping = {},
                                .limit = {}});
  return run;
}

}  // namespace muster::healthcheck
