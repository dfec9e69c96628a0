// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/run_with_evidence.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "healthcheck/check/evidence.hpp"
#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck {
namespace {

// A check that throws still gets the second reading of the evidence: it may say why.
void run_caught(Check& check, Context& context, results::CheckRun& run) {
  try {
    check.run(context);
    run.outcome = results::Outcome::finished;
  } catch (const Skip& skip) {
    run.outcome = results::Outcome::skipped;
    run.reason = skip.what();
  } catch (const std::exception& error) {
    run.outcome = results::Outcome::error;
    run.reason = error.what();
  }
}

// Every error counter of the machine, or what keeps them from being read: that must not keep a check from running.
struct EvidenceSnapshot {
  std::vector<topology::Counter> counters;
  std::string problem;
};

EvidenceSnapshot snapshot(const topology::Sysfs& sysfs) {
  try {
    return {.counters = read_evidence(sysfs), .problem = {}};
  } catch (const std::exception& error) {
    return {.counters = {}, .problem = error.what()};
  }
}

// Why nobody can tell what happened to the machine meanwhile; empty where that is known.
std::string problem_between(const EvidenceSnapshot& before, const EvidenceSnapshot& after) {
  if (!before.problem.empty()) return before.problem;
  if (!after.problem.empty()) return after.problem;
  const auto gone = lost_counter(before.counters, after.counters);
  return gone.empty() ? gone : gone + " could not be read again: it was there when the check began";
}

}  // namespace

bool run_with_evidence(Check& check, Context& context, results::CheckRun& run, const Context::Record& record) {
  const auto start = std::chrono::steady_clock::now();
  run.started = results::utc_now();
  run.outcome = results::Outcome::running;
  record(run);
  const auto before = snapshot(context.sysfs().quiet());  // a check tells of the files that it owns
  run_caught(check, context, run);
  const bool came_back = run.outcome != results::Outcome::error;
  const auto after = snapshot(context.sysfs().quiet());
  run.evidence = deltas(before.counters, after.counters);
  const auto problem = problem_between(before, after);
  if (came_back && !problem.empty()) {
    run.outcome = results::Outcome::error;
    run.reason = problem;
  }
  run.duration_seconds = seconds(std::chrono::steady_clock::now() - start) - context.waited_seconds();
  record(run);
  return came_back;
}

}  // namespace muster::healthcheck
