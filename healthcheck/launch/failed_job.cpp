// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/failed_job.hpp"

#include <fmt/format.h>

namespace muster::healthcheck {
namespace {

using results::Outcome;
using Kind = ProcessExit::Kind;

}  // namespace

void add_fact_of_host(results::CheckRun& run, std::string_view name, const std::string& host,
                      const std::string& value) {
  run.measurements.push_back({.metric = results::metric_name(run.check, name),
                              .value = value,
                              .labels = {{"host", host}},
                              .summary = {},
                              .stopping = {},
                              .limit = {}});
}

results::CheckRun with_words_of_launcher(results::CheckRun run, const ProcessExit& ending, const LaunchedJob& job) {
  const bool is_hopeless = ending.kind == Kind::hopeless;
  const bool ended_by_itself = ending.kind == Kind::exited && run.outcome == Outcome::error;
  if (!is_hopeless && !ended_by_itself && run.outcome != Outcome::timed_out) return run;
  const auto failure = why_launcher_failed(ending.said, ending.code, job);
  if (is_hopeless)
    run.reason = fmt::format("mpirun did not end by itself: {}", failure.sentence);
  else if (ended_by_itself)
    run.reason =
        fmt::format("mpirun ended with {} and no report came back from the job: {}", ending.code, failure.sentence);
  else if (failure.is_known)
    run.reason += fmt::format("; it said: {}", failure.sentence);
  else
    return run;
  for (const auto& host : failure.hosts) add_fact_of_host(run, "failed_host", host, failure.cause);
  return run;
}

}  // namespace muster::healthcheck
