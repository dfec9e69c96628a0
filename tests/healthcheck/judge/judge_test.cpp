// SPDX-License-Identifier: Apache-2.0
#include "tests/healthcheck/judge/judging.hpp"

namespace muster::healthcheck {
namespace {

using results::Outcome;
using results::Quantity;
using results::Status;
using results::Unit;

TEST(Judge, AViolationSaysWhatWhereWhyAndWhatToDo) {
  auto run = disk_run({bandwidth(40, {{"pattern", "read"}})});
  run.component = {{"drive", "nvme3"}};
  const auto report = judged({run}, {at_least(50, 48)});
  const auto verdict = only_verdict(report);
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_EQ(verdict.metric, "disk.bandwidth");
  EXPECT_EQ(verdict.labels, (results::Labels{{"drive", "nvme3"}, {"host", "gpu-0017"}, {"pattern", "read"}}));
  EXPECT_EQ(verdict.value, results::Value(Quantity{40, Unit::byte_per_second}));
  EXPECT_EQ(verdict.expected, "at least 50 B/s (fails below 48 B/s)");
  EXPECT_EQ(verdict.source, "a document (2026-11-21)");
  EXPECT_EQ(verdict.reason, "40 B/s is 17 % below 48 B/s");
  EXPECT_EQ(verdict.fault, "disk_slow");
  EXPECT_EQ(verdict.action, faults().find("disk_slow")->action);
  EXPECT_EQ(report.checks[0].status, Status::fail);
  EXPECT_EQ(report.status, Status::fail);
  EXPECT_EQ(
      report.summary,
      "1 check failed; worst: disk.bandwidth of drive nvme3, host gpu-0017, pattern read: 40 B/s is 17 % below 48 "
      "B/s");
}

TEST(Judge, TheSummaryNamesWhatWasFoundBeforeWhatCouldNotBeMeasured) {
  auto absent = at_least(50, 48);
  absent.metric = "disk.latency";
  const auto found = at_least(50, 48);
  const auto report = judged({disk_run({bandwidth(40)})}, {absent, found});
  ASSERT_EQ(report.checks[0].verdicts.size(), 2U);
  for (const auto& verdict : report.checks[0].verdicts) EXPECT_EQ(verdict.status, Status::fail) << verdict.metric;
  EXPECT_NE(report.summary.find("worst: disk.bandwidth of "), std::string::npos) << report.summary;
}

TEST(Judge, APassHasNeitherFaultNorAction) {
  const auto verdict = only_verdict(judged({disk_run({bandwidth(60)})}, {at_least(50, 48)}));
  EXPECT_EQ(verdict.status, Status::pass);
  EXPECT_EQ(verdict.fault + verdict.action + verdict.azure_code, "");
}

TEST(Judge, AzuresCodeStandsBesideOurs) {
  auto expectation = at_least(50, 48);
  expectation.fault = "ib_port_down";
  const auto verdict = only_verdict(judged({disk_run({bandwidth(1)})}, {expectation}));
  EXPECT_EQ(verdict.azure_code, "NHC2004");
  EXPECT_EQ(verdict.azure_category, "IBPortDown");
}

TEST(Judge, TheProfilesActionAndSeverityWin) {
  auto expectation = at_least(50, 48);
  expectation.action = "Call the storage team.";
  expectation.severity = Status::warn;
  const auto verdict = only_verdict(judged({disk_run({bandwidth(1)})}, {expectation}));
  EXPECT_EQ(verdict.status, Status::warn);
  EXPECT_EQ(verdict.action, "Call the storage team.");
}

TEST(Judge, AReportWithoutAnyVerdictIsUnknown) {
  const auto report = judged({disk_run({bandwidth(60)})}, {});
  EXPECT_EQ(report.checks[0].status, Status::skip);
  EXPECT_EQ(report.checks[0].information, "the profile expects nothing of this check");
  EXPECT_EQ(report.status, Status::unknown);
  EXPECT_EQ(judged({}, {}).status, Status::unknown);
}

TEST(Judge, InformationSaysWhyNothingIsExpected) {
  auto wanted = profile({});
  wanted.information["disk"] = "only the curves matter";
  EXPECT_EQ(judge(report_of({disk_run({bandwidth(60)})}), wanted, faults()).checks[0].information,
            "only the curves matter");
  wanted.expectations = {at_least(50, 48)};
  EXPECT_EQ(judge(report_of({disk_run({bandwidth(60)})}), wanted, faults()).checks[0].information, "");
}

TEST(Judge, AnImpossibleNumberIsUnknownEvenIfNothingExpectsIt) {
  auto measurement = bandwidth(812);
  measurement.limit = results::Limit{{450, Unit::byte_per_second}, "NVLink"};
  const auto expected = only_verdict(judged({disk_run({measurement})}, {at_least(50, 48)}));
  EXPECT_EQ(expected.status, Status::unknown);
  EXPECT_EQ(expected.fault, "measurement_impossible");
  const auto unexpected = only_verdict(judged({disk_run({measurement})}, {}));
  EXPECT_EQ(unexpected.status, Status::unknown);
  EXPECT_EQ(unexpected.metric, "disk.bandwidth");
  auto full = at_least(50, 48);
  full.tier = results::Tier::full;
  EXPECT_EQ(judged({disk_run({measurement})}, {full}).status, Status::unknown);
}

TEST(Judge, EfficiencyNamesTheLimitsSource) {
  auto expectation = of_kind(BoundKind::efficiency);
  expectation.bound.pass = 0.6;
  expectation.bound.fail = 0.4;
  auto measurement = bandwidth(30);
  EXPECT_EQ(only_verdict(judged({disk_run({measurement})}, {expectation})).status, Status::skip);
  measurement.limit = results::Limit{{100, Unit::byte_per_second}, "DMI: 8 modules"};
  const auto verdict = only_verdict(judged({disk_run({measurement})}, {expectation}));
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_EQ(verdict.source, "a document (2026-11-21); physical limit: DMI: 8 modules");
}

TEST(JudgeSummary, CountsTheChecksByTheirStatus) {
  auto other = at_least(50, 48);
  other.check = "other";
  EXPECT_EQ(judged({disk_run({bandwidth(60)})}, {at_least(50, 48)}).summary, "1 check passed");
  EXPECT_EQ(judged({disk_run({bandwidth(60)}), disk_run({bandwidth(60)})}, {at_least(50, 48)}).summary,
            "2 checks passed");
  EXPECT_EQ(judged({disk_run({}, Outcome::pending)}, {at_least(50, 48)}).summary,
            "did not finish: 1 of 1 checks had no result yet");
}

}  // namespace
}  // namespace muster::healthcheck
