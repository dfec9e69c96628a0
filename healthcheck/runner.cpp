// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/runner.hpp"

#include <fmt/format.h>

#include <chrono>

#include "healthcheck/checks_json.hpp"
#include "healthcheck/command_line.hpp"
#include "healthcheck/evidence.hpp"
#include "healthcheck/judge.hpp"
#include "healthcheck/options.hpp"

namespace muster::healthcheck {
namespace {

constexpr int skipped_exit_code = 77;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A check that throws still gets the second reading of the evidence: it may say why.
void run_between(Check& check, Context& context, results::CheckRun& run) {
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

int run_with(Check& check, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto description = check.describe();
  const auto setup = prepare(options);
  auto report = begin_report(setup, {.tier = options.tier, .only = {description.name}, .skip = {}});
  auto& run = report.checks.emplace_back();
  run.check = description.name;
  run.host = report.hosts.front().name;
  write(report, options);

  if (!setup.sysfs.live() && !description.reads_tree_only) {
    run.outcome = results::Outcome::skipped;
    run.reason = "a captured tree cannot be measured";
  } else {
    const Context::Record record = [&](const results::CheckRun&) { write(report, options); };
    Context context({.sysfs = setup.sysfs, .tier = options.tier, .scratch = setup.scratch, .topology = setup.topology},
                    run, record);
    bracket(check, context, run, record);
  }

  const bool skipped = run.outcome == results::Outcome::skipped;
  report.duration_seconds = seconds_since(start);
  report = judge(std::move(report), setup.profile, setup.faults);
  write(report, options);
  const int code = conclude(report, options);
  return skipped && report.status == results::Status::skip ? skipped_exit_code : code;
}

}  // namespace

void bracket(Check& check, Context& context, results::CheckRun& run, const Context::Record& record) {
  const auto start = std::chrono::steady_clock::now();
  run.started = results::utc_now();
  run.outcome = results::Outcome::running;
  record(run);
  try {
    const auto before = read_evidence(context.sysfs());
    run_between(check, context, run);
    run.evidence = deltas(before, read_evidence(context.sysfs()));
  } catch (const std::exception& error) {
    run.outcome = results::Outcome::error;
    run.reason = error.what();
  }
  run.duration_seconds = seconds_since(start);
  record(run);
}

int run_check(Check& check, int argc, char** argv) {
  const auto description = check.describe();
  Options options;
  bool describe = false;
  CommandLine line(description.summary, executable_name(description.name));
  add_options(line, options);
  line.add("--describe", describe, "Print what this check is, as JSON, and run nothing");
  check.add_options(line);
  return line.run(argc, argv, [&] {
    if (!describe) return run_with(check, options);
    fmt::print("{}\n", to_json(description));
    return 0;
  });
}

}  // namespace muster::healthcheck
