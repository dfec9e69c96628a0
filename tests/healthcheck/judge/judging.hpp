// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "healthcheck/judge/judge.hpp"
#include "tests/support/files.hpp"

// A check "disk" whose metric "disk.bandwidth" is judged, for tests of the judge.
namespace muster::healthcheck {

inline const Faults& faults() {
  static const Faults table(tests::source_folder() / "healthcheck" / "faults.json");
  return table;
}

inline Expectation at_least(double pass, double fail) {
  Expectation expectation;
  expectation.check = "disk";
  expectation.metric = "disk.bandwidth";
  expectation.bound.kind = BoundKind::at_least;
  expectation.bound.unit = results::Unit::byte_per_second;
  expectation.bound.pass = pass;
  expectation.bound.fail = fail;
  expectation.fault = "disk_slow";
  expectation.source = "a document";
  expectation.date = "2026-11-21";
  return expectation;
}

inline Expectation of_kind(BoundKind kind) {
  auto expectation = at_least(0, 0);
  expectation.bound.kind = kind;
  if (kind == BoundKind::peers) expectation.better = Better::higher;
  return expectation;
}

inline Profile profile(std::vector<Expectation> expectations) {
  Profile made;
  made.name = "p";
  made.expectations = std::move(expectations);
  return made;
}

inline results::Measurement bandwidth(double value, results::Labels labels = {}) {
  return {.metric = "disk.bandwidth",
          .value = results::Quantity{value, results::Unit::byte_per_second},
          .labels = std::move(labels)};
}

inline results::CheckRun disk_run(std::vector<results::Measurement> measurements,
                                  results::Outcome outcome = results::Outcome::finished) {
  results::CheckRun run;
  run.check = "disk";
  run.host = "gpu-0017";
  run.outcome = outcome;
  run.measurements = std::move(measurements);
  return run;
}

inline results::Report report_of(std::vector<results::CheckRun> runs) {
  results::Report report;
  report.hosts = {{.name = "gpu-0017", .fingerprint = {}}};
  report.checks = std::move(runs);
  return report;
}

inline results::Report judged(std::vector<results::CheckRun> runs, std::vector<Expectation> expectations) {
  return judge(report_of(std::move(runs)), profile(std::move(expectations)), faults());
}

// The one verdict of a report that has one.
inline results::Verdict only_verdict(const results::Report& report) {
  std::vector<results::Verdict> all;
  for (const auto& run : report.checks) all.insert(all.end(), run.verdicts.begin(), run.verdicts.end());
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? results::Verdict() : all.front();
}

inline std::vector<results::Status> statuses(const results::CheckRun& run) {
  std::vector<results::Status> list;
  for (const auto& verdict : run.verdicts) list.push_back(verdict.status);
  return list;
}

}  // namespace muster::healthcheck
