// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <vector>

#include "tests/healthcheck/judge/judging.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using results::Status;

TEST(JudgeCount, FewerFactsThanTheCountFail) {
  auto expectation = at_least(50, 48);
  expectation.count = 3;
  const std::vector<CheckRun> two = {disk_run({bandwidth(60), bandwidth(60)})};
  const auto report = judged(two, {expectation});
  EXPECT_EQ(statuses(report.checks[0]), (std::vector{Status::pass, Status::pass, Status::fail}));
  EXPECT_EQ(report.checks[0].verdicts.at(2).reason, "only 2 of 3: the rest was not measured");
  expectation.count = 2;
  EXPECT_EQ(judged(two, {expectation}).status, Status::pass);
}

TEST(JudgeCount, OfAJobEachHostMustHaveTheCount) {
  auto expectation = at_least(50, 48);
  expectation.count = 2;
  auto job = disk_run({bandwidth(60, {{"host", "a"}, {"drive", "0"}}), bandwidth(60, {{"host", "a"}, {"drive", "1"}}),
                       bandwidth(60, {{"host", "b"}, {"drive", "0"}})});
  job.host = "a";
  job.hosts = {"a", "b", "c"};
  const auto report = judged({job}, {expectation});
  std::map<std::string, std::string> lacking;
  for (const auto& verdict : report.checks[0].verdicts)
    if (verdict.status == Status::fail) lacking.emplace(verdict.labels.at("host"), verdict.reason);
  EXPECT_EQ(lacking, (std::map<std::string, std::string>{{"b", "only 1 of 2: the rest was not measured"},
                                                         {"c", "was not measured"}}));
  job.measurements = {bandwidth(60, {{"host", "b"}, {"drive", "0"}})};
  lacking.clear();
  const auto of_one = judged({job}, {expectation});
  for (const auto& verdict : of_one.checks[0].verdicts)
    if (verdict.status == Status::fail) lacking.emplace(verdict.labels.at("host"), verdict.reason);
  EXPECT_TRUE(lacking.contains("a")) << "the first host by its own name, too";
  job.measurements = {bandwidth(60), bandwidth(60)};
  EXPECT_EQ(judged({job}, {expectation}).checks[0].status, Status::pass) << "what a job says of all its hosts";
}

TEST(JudgeCount, FewerFactsThanTheCountAreUnknownWhereARunCrashed) {
  auto expectation = at_least(50, 48);
  expectation.count = 2;
  auto crashed = disk_run({}, Outcome::crashed);
  crashed.reason = "killed by signal 11";
  const auto report = judged({disk_run({bandwidth(60)}), crashed}, {expectation});
  EXPECT_EQ(report.checks[0].status, Status::pass);
  EXPECT_EQ(report.checks[1].verdicts.at(0).reason,
            "only 1 of 2: the rest could not be measured: crashed: killed by signal 11");
}

TEST(JudgeCount, EveryComponentWithoutItsFactIsNamed) {
  auto expectation = at_least(50, 48);
  expectation.count = 8;
  std::vector<CheckRun> runs;
  for (const auto* drive : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    const bool is_silent = drive[0] == '2' || drive[0] == '5';
    auto& run = runs.emplace_back(is_silent ? disk_run({}, Outcome::skipped) : disk_run({bandwidth(60)}));
    run.component = {{"drive", drive}};
    if (is_silent) run.reason = "no answer";
  }
  const auto report = judged(runs, {expectation});
  std::map<std::string, std::string> lacking;
  for (const auto& run : report.checks)
    for (const auto& verdict : run.verdicts)
      if (verdict.status == Status::fail) lacking.emplace(verdict.labels.at("drive"), verdict.reason);
  const std::string reason = "only 6 of 8: the rest was not measured: no answer";
  EXPECT_EQ(lacking, (std::map<std::string, std::string>{{"2", reason}, {"5", reason}}));
}

}  // namespace
}  // namespace muster::healthcheck
