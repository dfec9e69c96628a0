// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/healthcheck/judge/judging.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using results::Status;

// Five drives of which the last is slow, each in a run of its own.
std::vector<CheckRun> drives(double last, int attempt = 1) {
  std::vector<CheckRun> runs;
  for (const double value : {100.0, 101.0, 99.0, 100.5, last}) {
    auto& run = runs.emplace_back(disk_run({bandwidth(value)}));
    run.component = {{"drive", std::to_string(runs.size() - 1)}};
    run.attempt = attempt;
  }
  return runs;
}

std::vector<CheckRun> twice(double first, double second) {
  auto runs = drives(first);
  std::ranges::move(drives(second, 2), std::back_inserter(runs));
  return runs;
}

TEST(JudgePeers, AsksForASecondLookAndFailsWhenItSeesTheSame) {
  auto expectation = of_kind(BoundKind::peers);
  expectation.noise = 0.01;
  const auto first = judged(drives(50), {expectation});
  EXPECT_EQ(first.status, Status::warn);
  const auto to_confirm = [&](std::vector<CheckRun> runs) {
    return checks_to_confirm(report_of(std::move(runs)), profile({expectation}), faults());
  };
  EXPECT_EQ(to_confirm(drives(50)), std::vector<std::string>{"disk"});
  const auto confirmed = judged(twice(50, 51), {expectation});
  EXPECT_EQ(confirmed.checks[4].status, Status::fail);
  EXPECT_EQ(confirmed.checks[4].verdicts.at(0).labels.at("drive"), "4");
  EXPECT_TRUE(to_confirm(twice(50, 51)).empty());
  EXPECT_TRUE(to_confirm(drives(100)).empty());
  EXPECT_EQ(judged(twice(50, 100), {expectation}).status, Status::warn) << "not seen again";
  EXPECT_EQ(judged(drives(100), {expectation}).status, Status::pass);
}

TEST(JudgePeers, ASecondLookWithoutOneOfThePeersConfirmsNothing) {
  auto expectation = of_kind(BoundKind::peers);
  expectation.noise = 0.01;
  auto runs = twice(50, 51);
  runs[6].measurements.clear();
  runs[6].outcome = Outcome::crashed;
  const auto report = judged(runs, {expectation});
  EXPECT_EQ(report.checks[4].status, Status::warn);
  EXPECT_EQ(report.status, Status::unknown) << "the crash itself";
}

TEST(JudgePeers, AWholeMachineIsNoPeerOfItsParts) {
  auto expectation = of_kind(BoundKind::peers);
  std::vector<results::Measurement> measurements;
  for (const char* node : {"0", "1", "2", "3", "4"}) measurements.push_back(bandwidth(500, {{"numa", node}}));
  measurements.push_back(bandwidth(100, {{"numa", "all"}}));
  const auto report = judged({disk_run(measurements)}, {expectation});
  EXPECT_EQ(std::ranges::count(statuses(report.checks[0]), Status::pass), 5);
  EXPECT_EQ(std::ranges::count(statuses(report.checks[0]), Status::skip), 1);
}

TEST(JudgePeers, FactsOfAnotherKindAreNoPeers) {
  std::vector<results::Measurement> measurements;
  for (const char* drive : {"0", "1", "2", "3", "4"}) {
    measurements.push_back(bandwidth(500, {{"drive", drive}, {"pattern", "read"}}));
    measurements.push_back(bandwidth(100, {{"drive", drive}, {"pattern", "write"}}));
  }
  EXPECT_EQ(judged({disk_run(measurements)}, {of_kind(BoundKind::peers)}).status, Status::pass);
}

TEST(JudgePeers, ANumberInAnotherUnitIsUnknownAndNoPeer) {
  std::vector<results::Measurement> measurements;
  for (const char* drive : {"0", "1", "2", "3", "4", "5"}) measurements.push_back(bandwidth(500, {{"drive", drive}}));
  measurements.back().value = results::Quantity{500, results::Unit::byte};
  const auto report = judged({disk_run(measurements)}, {of_kind(BoundKind::peers)});
  EXPECT_EQ(std::ranges::count(statuses(report.checks[0]), Status::pass), 5);
  EXPECT_EQ(report.status, Status::unknown);
}

TEST(JudgeMajority, AValueOfAnotherKindDiffers) {
  std::vector<results::Measurement> measurements;
  for (const char* drive : {"0", "1", "2", "3"})
    measurements.push_back({.metric = "disk.bandwidth", .value = "A", .labels = {{"drive", drive}}});
  measurements.back().value = results::Quantity{0, results::Unit::hertz};
  EXPECT_EQ(statuses(judged({disk_run(measurements)}, {of_kind(BoundKind::majority)}).checks[0]),
            (std::vector{Status::pass, Status::pass, Status::pass, Status::fail}));
}

TEST(JudgeMajority, NamesTheOneThatDiffers) {
  std::vector<results::Measurement> measurements;
  for (const auto& [drive, firmware] : {std::pair{"0", "A"}, {"1", "A"}, {"2", "B"}})
    measurements.push_back({.metric = "disk.bandwidth", .value = firmware, .labels = {{"drive", drive}}});
  const auto report = judged({disk_run(measurements)}, {of_kind(BoundKind::majority)});
  EXPECT_EQ(statuses(report.checks[0]), (std::vector{Status::pass, Status::pass, Status::fail}));
  EXPECT_EQ(report.checks[0].verdicts.at(2).labels.at("drive"), "2");
}

Expectation no_fatal_errors() {
  auto expectation = of_kind(BoundKind::no_change);
  expectation.check.clear();
  expectation.metric = "pcie_aer.fatal";
  expectation.fault = "pcie_fatal_errors";
  expectation.optional = true;
  return expectation;
}

TEST(JudgeEvidence, ACounterThatGrewTurnsTheCheckAndIsNamed) {
  auto run = disk_run({bandwidth(60)});
  run.evidence = {{"pcie_aer.fatal", {{"pci", "0000:01:00.0"}}, 1, 1},
                  {"pcie_aer.fatal", {{"pci", "0000:02:00.0"}}, 1, 3}};
  const auto report = judged({run}, {at_least(50, 48), no_fatal_errors()});
  EXPECT_EQ(statuses(report.checks[0]), (std::vector{Status::pass, Status::fail}));
  EXPECT_EQ(report.checks[0].verdicts.at(1).labels.at("pci"), "0000:02:00.0");
  EXPECT_EQ(report.checks[0].verdicts.at(1).reason, "grew by 2");
}

TEST(JudgeEvidence, ACounterThatHeldDoesNotMakeAPass) {
  auto run = disk_run({bandwidth(60)});
  run.evidence = {{"pcie_aer.fatal", {}, 1, 1}};
  EXPECT_EQ(judged({run}, {no_fatal_errors()}).checks[0].status, Status::skip);
}

TEST(JudgeEvidence, ACounterThatIsNotOptionalMustBeRead) {
  auto expectation = no_fatal_errors();
  EXPECT_EQ(judged({disk_run({bandwidth(60)})}, {at_least(50, 48), expectation}).status, Status::pass);
  expectation.optional = false;
  EXPECT_EQ(judged({disk_run({bandwidth(60)})}, {at_least(50, 48), expectation}).status, Status::fail);
}

}  // namespace
}  // namespace muster::healthcheck
