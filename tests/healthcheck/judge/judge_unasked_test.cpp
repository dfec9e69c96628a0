// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/healthcheck/judge/judging.hpp"
#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using results::Status;

results::Measurement unreadable(const std::string& path, results::Labels labels) {
  labels.emplace("path", path);
  return {.metric = "disk.unreadable_file", .value = path + ": cannot be read: Input/output error", .labels = labels};
}

TEST(UnreadableFile, IsUnknownByItselfWhateverIsExpected) {
  const auto report =
      judged({disk_run({bandwidth(60), unreadable("sys/x", {{"drive", "nvme3"}})})}, {at_least(50, 48)});
  ASSERT_EQ(report.checks[0].verdicts.size(), 2U);
  EXPECT_EQ(report.checks[0].verdicts[0].status, Status::pass);
  const auto& verdict = report.checks[0].verdicts[1];
  EXPECT_EQ(verdict.status, Status::unknown);
  EXPECT_EQ(verdict.fault, "kernel_file_unreadable");
  EXPECT_EQ(verdict.labels.at("drive"), "nvme3");
  EXPECT_EQ(report.status, Status::unknown);
}

TEST(UnreadableFile, MakesWhatIsLackingUnknownAndNamesItsComponent) {
  auto expectation = at_least(50, 48);
  expectation.count = 2;
  const auto report = judged({disk_run({bandwidth(60), unreadable("sys/x", {{"drive", "nvme3"}})})}, {expectation});
  for (const auto& verdict : report.checks[0].verdicts)
    if (verdict.status != Status::pass) {
      EXPECT_EQ(verdict.status, Status::unknown);
      EXPECT_EQ(verdict.labels.at("drive"), "nvme3");
    }
}

const results::Verdict& of_fault(const results::Report& report, std::string_view fault) {
  for (const auto& verdict : report.checks[0].verdicts)
    if (verdict.fault == fault) return verdict;
  throw std::runtime_error("no such verdict");
}

TEST(Ending, OfAJobAccusesTheOneHostThatKeptItFromItsStart) {
  auto run = disk_run({});
  run.outcome = Outcome::error;
  run.hosts = {"h1", "h2"};
  run.measurements = {{.metric = "disk.failed_host", .value = "no daemon", .labels = {{"host", "h2"}}}};
  EXPECT_EQ(of_fault(judged({run}, {}), "check_error").labels.at("host"), "h2");
  run.measurements.push_back({.metric = "disk.failed_host", .value = "no daemon", .labels = {{"host", "h1"}}});
  EXPECT_FALSE(of_fault(judged({run}, {}), "check_error").labels.contains("h2"));
}

TEST(Ending, SendsToADeviceOnlyWhereItHungInTheKernel) {
  const Faults shipped(tests::source_folder() / "healthcheck" / "faults.json");
  auto run = disk_run({});
  run.outcome = Outcome::timed_out;
  const auto sends_to_device = [&] {
    const auto report = judge(report_of({run}), profile({}), shipped);
    return of_fault(report, "check_timed_out").action.find("dmesg") != std::string::npos;
  };
  run.reason = "rank 2 on h2 said: hung in kernel function nvidia_close";  // which are words, and no fact
  EXPECT_FALSE(sends_to_device());
  run.kernel_function = "nvidia_close";
  EXPECT_TRUE(sends_to_device());
}

TEST(Doubt, AboutTheProfileIsAWarning) {
  auto report = report_of({disk_run({bandwidth(60)})});
  report.profile.doubt = "a driver is loaded";
  const auto warned = judge(report, profile({at_least(50, 48)}), faults());
  EXPECT_EQ(warned.status, Status::warn);
  EXPECT_EQ(warned.checks[0].verdicts.back().fault, "profile_uncertain");
  EXPECT_EQ(warned.checks[0].verdicts.back().reason, "a driver is loaded");
}

TEST(AskedForByName, AndNotThereIsUnknown) {
  auto report = report_of({disk_run({bandwidth(60)})});
  auto other = at_least(50, 48);
  other.check = "gpu";
  other.metric = "gpu.bandwidth";
  other.optional = true;
  const auto expectations = std::vector{at_least(50, 48), other};
  report.selection.only = {"disk", "gpu"};
  const auto unknown = judge(report, profile(expectations), faults());
  EXPECT_EQ(unknown.status, Status::unknown);
  EXPECT_EQ(unknown.checks.back().verdicts.back().fault, "check_unavailable");
  const auto by_others = judge(unknown, profile({at_least(50, 48)}), faults());
  EXPECT_EQ(by_others.status, Status::unknown) << "a profile that expects nothing of it makes no difference";
  EXPECT_EQ(by_others.checks.back().check, "gpu");
  report.selection.only.clear();
  EXPECT_EQ(judge(report, profile(expectations), faults()).status, Status::pass) << "nobody asked for it";
}

TEST(AskedForByName, AndSkippedIsUnknown) {
  auto skipped = disk_run({}, Outcome::skipped);
  skipped.check = "gpu";
  skipped.reason = "no NVIDIA GPU";
  auto report = report_of({disk_run({bandwidth(60)}), skipped});
  report.selection.only = {"disk", "gpu"};
  const auto unknown = judge(report, profile({at_least(50, 48)}), faults());
  EXPECT_EQ(unknown.status, Status::unknown);
  EXPECT_NE(unknown.checks[1].verdicts.back().reason.find("no NVIDIA GPU"), std::string::npos);
}

}  // namespace
}  // namespace muster::healthcheck
