// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/healthcheck/judge/judging.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using results::Status;

struct Ended {
  Outcome outcome;
  Status status;          // of what was expected and not measured
  std::string fault;      // of that
  std::string run_fault;  // of the run itself; empty when it came to its end
};

void PrintTo(const Ended& ended, std::ostream* out) { *out << to_text(ended.outcome); }

class Unmeasured : public testing::TestWithParam<Ended> {};

TEST_P(Unmeasured, IsNeverPass) {
  const auto& ended = GetParam();
  auto run = disk_run({}, ended.outcome);
  run.reason = "the reason";
  run.phase = "the phase";
  const auto report = judged({run}, {at_least(50, 48)});
  const auto& verdict = report.checks[0].verdicts.at(0);
  EXPECT_EQ(verdict.status, ended.status);
  EXPECT_EQ(verdict.fault, ended.fault);
  EXPECT_FALSE(verdict.action.empty());
  EXPECT_FALSE(verdict.value);
  EXPECT_EQ(report.status, ended.status);
  if (ended.outcome != Outcome::finished && ended.outcome != Outcome::not_built) {
    EXPECT_NE(verdict.reason.find("the reason"), std::string::npos) << verdict.reason;
  }
  if (ended.run_fault.empty()) {
    EXPECT_EQ(report.checks[0].verdicts.size(), 1u);
  } else {
    EXPECT_NE(verdict.reason.find("the phase"), std::string::npos) << verdict.reason;
    EXPECT_EQ(report.checks[0].verdicts.at(1).fault, ended.run_fault);
    EXPECT_EQ(report.checks[0].verdicts.at(1).status, Status::unknown);
  }
}

TEST_P(Unmeasured, IsSkippedWhenOptionalButOnlyWhereTheRunCameToItsEnd) {
  auto run = disk_run({}, GetParam().outcome);
  auto expectation = at_least(50, 48);
  expectation.optional = true;
  const auto report = judged({run}, {expectation});
  EXPECT_EQ(report.status, GetParam().run_fault.empty() ? Status::skip : Status::unknown);
}

TEST_P(Unmeasured, ARunOfWhichNothingIsExpectedIsNeverPassEither) {
  if (GetParam().outcome == Outcome::not_built) return;  // a judge added it, so another drops it
  auto run = disk_run({bandwidth(1)}, GetParam().outcome);
  auto other = at_least(0, 0);
  other.check = "other";
  const auto report = judged({run}, {other});
  EXPECT_EQ(report.checks[0].status, GetParam().run_fault.empty() ? Status::skip : Status::unknown);
  EXPECT_EQ(report.checks[0].verdicts.empty(), GetParam().run_fault.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Outcomes, Unmeasured,
    testing::Values(Ended{Outcome::finished, Status::fail, "not_measured", ""},
                    Ended{Outcome::skipped, Status::fail, "not_measured", ""},
                    Ended{Outcome::not_built, Status::fail, "not_measured", ""},
                    Ended{Outcome::pending, Status::unknown, "could_not_measure", "check_unfinished"},
                    Ended{Outcome::running, Status::unknown, "could_not_measure", "check_unfinished"},
                    Ended{Outcome::error, Status::unknown, "could_not_measure", "check_error"},
                    Ended{Outcome::crashed, Status::unknown, "could_not_measure", "check_crashed"},
                    Ended{Outcome::timed_out, Status::unknown, "could_not_measure", "check_timed_out"},
                    Ended{Outcome::not_started, Status::unknown, "could_not_measure", "check_not_started"},
                    Ended{Outcome::out_of_budget, Status::unknown, "could_not_measure", "out_of_budget"},
                    Ended{Outcome::interrupted, Status::unknown, "could_not_measure", "interrupted"},
                    Ended{Outcome::in_use, Status::unknown, "could_not_measure", "machine_in_use"}));

TEST(JudgeCompleteness, ACrashAfterAGoodNumberIsUnknown) {
  const auto report = judged({disk_run({bandwidth(60)}, Outcome::crashed)}, {at_least(50, 48)});
  EXPECT_EQ(statuses(report.checks[0]), (std::vector{Status::pass, Status::unknown}));
  EXPECT_EQ(report.status, Status::unknown);
}

TEST(JudgeCompleteness, ACheckThatIsExpectedAndNotThereIsAddedAndFails) {
  const auto report = judged({}, {at_least(50, 48)});
  ASSERT_EQ(report.checks.size(), 1u);
  EXPECT_EQ(report.checks[0].outcome, Outcome::not_built);
  EXPECT_EQ(report.checks[0].host, "gpu-0017");
  EXPECT_EQ(report.status, Status::fail);
}

TEST(JudgeCompleteness, EveryHostMustHaveTheCheck) {
  auto facts = report_of({disk_run({bandwidth(60)})});
  facts.hosts.push_back({.name = "gpu-0018", .fingerprint = {}});
  const auto report = judge(facts, profile({at_least(50, 48)}), faults());
  ASSERT_EQ(report.checks.size(), 2u);
  EXPECT_EQ(report.checks[1].host, "gpu-0018");
  EXPECT_EQ(report.checks[1].status, Status::fail);
}

// A job of two hosts: its own number is about both, and what it says of one is about that one alone.
TEST(JudgeCompleteness, AJobIsTheCheckOfAllItsHosts) {
  auto job = disk_run({bandwidth(40), bandwidth(30, {{"host", "gpu-0018"}})});
  job.hosts = {"gpu-0017", "gpu-0018"};
  auto report = report_of({job});
  report.hosts.push_back({.name = "gpu-0018", .fingerprint = {}});
  report = judge(report, profile({at_least(50, 48)}), faults());
  ASSERT_EQ(report.checks.size(), 1u);
  ASSERT_EQ(report.checks[0].verdicts.size(), 2u);
  EXPECT_EQ(report.checks[0].verdicts[0].labels.at("host"), "gpu-0017 gpu-0018");
  EXPECT_EQ(report.checks[0].verdicts[1].labels.at("host"), "gpu-0018");
}

Expectation of_jobs(const std::string& hosts, double pass) {
  auto expectation = at_least(pass, pass);
  expectation.labels = {{"hosts", hosts}};
  return expectation;
}

TEST(JudgeCompleteness, AnExpectationOfJobsOfAnotherSizeIsSkipped) {
  const std::vector both{of_jobs("1", 50), of_jobs("2+", 30)};
  EXPECT_EQ(statuses(judged({disk_run({bandwidth(40, {{"hosts", "1"}})})}, both).checks[0]),
            (std::vector{Status::fail, Status::skip}));
  auto job = disk_run({bandwidth(40, {{"hosts", "3"}})});
  job.hosts = {"gpu-0017", "gpu-0018", "gpu-0019"};
  auto report = report_of({job});
  for (const auto* name : {"gpu-0018", "gpu-0019"}) report.hosts.push_back({.name = name, .fingerprint = {}});
  report = judge(report, profile(both), faults());
  EXPECT_EQ(statuses(report.checks[0]), (std::vector{Status::skip, Status::pass}));
  EXPECT_EQ(report.checks[0].verdicts[0].reason, "is for jobs of 1 hosts");
}

TEST(JudgeCompleteness, AJobOfASizeThatTheProfileDoesNotKnowIsNotPassed) {
  EXPECT_EQ(judged({disk_run({bandwidth(60, {{"hosts", "1"}})})}, {of_jobs("2+", 30)}).status, Status::fail);
  EXPECT_EQ(judged({disk_run({})}, {of_jobs("1", 50), of_jobs("2+", 30)}).status, Status::fail)
      << "of this size, and not measured";
}

TEST(JudgeCompleteness, EveryComponentsRunMustMeasure) {
  std::vector<CheckRun> runs = {disk_run({bandwidth(60)}), disk_run({})};
  runs[0].component = {{"drive", "0"}};
  runs[1].component = {{"drive", "1"}};
  const auto report = judged(runs, {at_least(50, 48)});
  EXPECT_EQ(report.checks[0].status, Status::pass);
  EXPECT_EQ(report.checks[1].status, Status::fail);
  EXPECT_EQ(report.checks[1].verdicts.at(0).labels.at("drive"), "1");
}

TEST(JudgeCompleteness, LabelsFilterFactsAndComponents) {
  std::vector<CheckRun> runs = {disk_run({bandwidth(60, {{"pattern", "read"}}), bandwidth(1, {{"pattern", "write"}})}),
                                disk_run({})};
  runs[0].component = {{"drive", "0"}};
  runs[1].component = {{"drive", "1"}};
  auto expectation = at_least(50, 48);
  expectation.labels = {{"pattern", "read"}, {"drive", "0"}};
  const auto report = judged(runs, {expectation});
  EXPECT_EQ(statuses(report.checks[0]), std::vector{Status::pass});
  EXPECT_TRUE(report.checks[1].verdicts.empty()) << "drive 1 is not asked for";
  expectation.labels = {{"drive", "9"}};
  EXPECT_EQ(judged(runs, {expectation}).status, Status::fail) << "drive 9 was not measured";
}

TEST(JudgeCompleteness, ACheckOfWhichNothingIsDemandedNeedNotBeBuilt) {
  auto expectation = at_least(50, 48);
  expectation.optional = true;
  const auto run = judged({}, {expectation}).checks.at(0);
  EXPECT_EQ(run.outcome, Outcome::skipped);
  EXPECT_EQ(run.reason, "not built, or not of this tier");
}

TEST(JudgeCompleteness, WhatIsNotSelectedIsASkipThatSaysSo) {
  auto full = at_least(50, 48);
  full.tier = results::Tier::full;
  const auto verdict = only_verdict(judged({disk_run({bandwidth(1)})}, {full}));
  EXPECT_EQ(verdict.status, Status::skip);
  EXPECT_EQ(verdict.reason, "not selected");

  auto facts = report_of({});
  facts.selection.skip = {"disk"};
  const auto report = judge(facts, profile({at_least(50, 48)}), faults());
  ASSERT_EQ(report.checks.size(), 1u);
  EXPECT_EQ(report.checks[0].outcome, Outcome::skipped);
  EXPECT_EQ(report.checks[0].reason, "not selected");
  EXPECT_EQ(report.status, Status::skip) << "a run of nothing but skips";
}

TEST(JudgeCompleteness, ACheckThatBeganStaysWhateverItGivesAsAReasonToSkip) {
  auto run = disk_run({}, Outcome::skipped);
  run.started = "2026-11-29T16:00:00Z";
  run.reason = "not selected";
  EXPECT_EQ(judged({run}, {at_least(50, 48)}).checks.at(0).started, run.started);
}

// A run that options limited to writes of these adapters, of which one was measured.
CheckRun limited_to(std::vector<std::string> nics) {
  auto run = disk_run({bandwidth(60, {{"operation", "write"}, {"nic", "a"}})});
  run.selected = {{"operation", {"write"}}, {"nic", std::move(nics)}};
  return run;
}

Expectation of_eight(const std::string& operation) {
  auto expectation = at_least(50, 48);
  expectation.labels = {{"operation", operation}};
  expectation.count = 8;
  return expectation;
}

TEST(JudgeCompleteness, WhatOptionsLeftOutIsNotSelected) {
  const auto read = judged({limited_to({"a"})}, {of_eight("read")});
  EXPECT_EQ(only_verdict(read).status, Status::skip);
  EXPECT_EQ(only_verdict(read).reason, "not selected");
  for (const auto& one : {std::vector<std::string>{"a"}, {"a", "a"}})
    EXPECT_EQ(only_verdict(judged({limited_to(one)}, {of_eight("write")})).status, Status::pass) << one.size();
}

TEST(JudgeCompleteness, WhatOptionsChoseMustBeMeasured) {
  const auto lacking = judged({limited_to({"a", "b"})}, {of_eight("write")});
  EXPECT_EQ(lacking.status, Status::fail);
  EXPECT_EQ(lacking.checks[0].verdicts.at(1).reason, "only 1 of 2: the rest was not measured");
  auto nothing = limited_to({"a"});
  nothing.measurements.clear();
  EXPECT_EQ(only_verdict(judged({nothing}, {of_eight("write")})).status, Status::fail);
  EXPECT_EQ(judged({nothing}, {at_least(50, 48)}).status, Status::fail) << "what is of no operation";
}

TEST(JudgeCompleteness, OneGpuThatOptionsChoseIsEnoughButNotOneRunOfANode) {
  auto run = disk_run({bandwidth(60, {{"operation", "write"}, {"gpu", "3"}})});
  run.selected = {{"gpu", {"3"}}};
  EXPECT_EQ(only_verdict(judged({run}, {of_eight("write")})).status, Status::pass);
  run.component = {{"gpu", "3"}};
  EXPECT_EQ(judged({run}, {of_eight("write")}).checks[0].verdicts.at(1).reason,
            "only 1 of 8: the rest was not measured");
}

TEST(JudgeCompleteness, OfAJobInGroupsNoFactsOfAllAreWanted) {
  auto whole = at_least(50, 48);
  whole.labels = {{"hosts", "2+"}};
  auto groups = disk_run({});
  EXPECT_EQ(judged({groups}, {whole}).status, Status::fail);
  groups.selected = {{"hosts", {}}};
  EXPECT_EQ(only_verdict(judged({groups}, {whole})).reason, "not selected");
}

}  // namespace
}  // namespace muster::healthcheck
