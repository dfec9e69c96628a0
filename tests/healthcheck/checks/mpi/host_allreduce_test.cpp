// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/drawn.hpp"
#include "tests/support/files.hpp"
#include "tests/support/job.hpp"

namespace muster::tests {
namespace {

using results::Status;

const std::vector<std::string> small{"-b", "4K", "-e", "64K", "-n", "20", "--out-of-place"};

// Wants a bus bandwidth that lies between what this machine does and what it does with a rank that is slow or late.
constexpr auto calibrated = R"({
  "name": "calibrated", "extends": "generic", "description": "A job whose 64 KiB take less than 2 ms",
  "expectations": [
    { "check": "host_allreduce", "metric": "host_allreduce.bus_bandwidth", "labels": { "size": "64 KiB" },
      "bound": "at_least", "unit": "B/s", "pass": 80e6, "fail": 50e6, "noise": 0.2, "tier": "quick", "fault": "host_allreduce_slow",
      "source": "1.5 x 64 KiB in 2 ms", "date": "2026-11-21" }
  ]
})";

constexpr auto locking = R"({
  "name": "locking", "extends": "generic", "description": "A job that locks memory",
  "expectations": [
    { "check": "host_allreduce", "metric": "host_allreduce.locked_memory",
      "bound": "at_least", "unit": "B", "pass": 1073741824, "fail": 67108864, "tier": "quick", "fault": "memlock_too_low",
      "source": "this test", "date": "2026-11-25" }
  ]
})";

std::size_t count(const results::CheckRun& run, std::string_view metric) {
  return static_cast<std::size_t>(std::ranges::count(run.measurements, metric, &results::Measurement::metric));
}

TEST(HostAllreduceFaults, AFlippedBitIsFoundAndItsRankNamed) {
  const auto run = checked(Job{.arguments = small, .fault = "flipped_bit", .faulty_rank = 2});
  expect_fault(run, Status::fail, "host_allreduce_wrong_data", {{"rank", "2"}, {"size", "64 KiB"}});
  expect_fault(run, Status::fail, "host_allreduce_wrong_data", {{"size", "4 KiB"}});
  const auto first = std::ranges::find(run.measurements, "host_allreduce.first_wrong", &results::Measurement::metric);
  const auto words = results::to_text(first->value);
  EXPECT_TRUE(words.starts_with("sample 0, element 7: expected bits ")) << words;
  EXPECT_TRUE(words.ends_with(", differing 10")) << words;
  EXPECT_EQ(count(run, "host_allreduce.first_wrong"), 2U) << "of one rank, for two sizes";
}

TEST(HostAllreduceFaults, ALostLastElementIsFound) {
  const auto run = checked(Job{.arguments = small, .fault = "last_element_lost", .faulty_rank = 3});
  expect_fault(run, Status::fail, "host_allreduce_wrong_data", {{"rank", "3"}});
}

TEST(HostAllreduceFaults, AResultThatNeverArrivedIsFound) {
  const auto run = checked(Job{.arguments = small, .fault = "nothing_received", .faulty_rank = 1});
  expect_fault(run, Status::fail, "host_allreduce_wrong_data", {{"rank", "1"}});
}

TEST(HostAllreduceRateFaults, ASlowRankMakesTheJobSlow) {
  const TemporaryFolder folder;
  folder.write("calibrated.json", calibrated);
  const auto profile = (folder.path() / "calibrated.json").string();
  const std::vector<std::string> sizes{"-b", "64K", "-e", "64K", "--in-place"};
  expect_healthy(checked(Job{.arguments = sizes, .profile = profile}));
  const auto run = checked(Job{.arguments = sizes, .fault = "slow", .faulty_rank = 1, .profile = profile});
  expect_fault(run, Status::fail, "host_allreduce_slow", {{"size", "64 KiB"}});
}

TEST(HostAllreduceRateFaults, ARankThatIsAlwaysLateIsNamed) {
  const TemporaryFolder folder;
  folder.write("calibrated.json", calibrated);
  const auto run = checked(Job{.arguments = {"-b", "64K", "-e", "64K", "--in-place"},
                               .fault = "late",
                               .faulty_rank = 2,
                               .profile = (folder.path() / "calibrated.json").string()});
  expect_fault(run, Status::fail, "host_allreduce_late_rank", {{"rank", "2"}, {"size", "64 KiB"}});
}

TEST(HostAllreduceRateFaults, ALateRankBetweenTheThresholdsIsASuspect) {
  const TemporaryFolder folder;
  auto wider = std::string(calibrated);
  wider.replace(wider.find("50e6"), 4, "5e5");
  folder.write("wider.json", wider);
  const auto run = checked(Job{.arguments = {"-b", "64K", "-e", "64K", "--in-place"},
                               .fault = "late",
                               .faulty_rank = 2,
                               .profile = (folder.path() / "wider.json").string()});
  EXPECT_EQ(run.status, Status::warn);
  expect_fault(run, Status::warn, "host_allreduce_slow", {{"size", "64 KiB"}});
  expect_fault(run, Status::warn, "host_allreduce_late_rank", {{"rank", "2"}, {"size", "64 KiB"}});
}

struct Loss {
  std::string fault;
  int rank = 0;
  results::Outcome outcome;
  std::string said;
};

void PrintTo(const Loss& loss, std::ostream* out) { *out << loss.fault << " " << loss.rank; }

class HostAllreduceRankFaults : public testing::TestWithParam<Loss> {};

TEST_P(HostAllreduceRankFaults, AreNamed) {
  const auto& [fault, rank, outcome, said] = GetParam();
  const auto run =
      checked(Job{.arguments = {"--timeout", "4"}, .fault = fault, .faulty_rank = rank, .loses_ranks = true});
  expect_fault(run, Status::unknown, "rank_lost", {{"rank", std::to_string(rank)}, {"host", run.host}});
  EXPECT_EQ(run.outcome, outcome);
  EXPECT_NE(run.reason.find(fmt::format("rank {} on {} {}", rank, run.host, said)), std::string::npos) << run.reason;
  EXPECT_EQ(count(run, "host_allreduce.lost_rank"), 1U);
}

INSTANTIATE_TEST_SUITE_P(Ranks, HostAllreduceRankFaults,
                         testing::Values(Loss{"dies", 2, results::Outcome::crashed, "died"},
                                         Loss{"dies", 0, results::Outcome::crashed, "died"},
                                         Loss{"refuses", 2, results::Outcome::error, "failed: MPI_Barrier failed: "},
                                         Loss{"refuses", 0, results::Outcome::error, "failed: MPI_Barrier failed: "},
                                         Loss{"stops", 3, results::Outcome::timed_out, "went silent"},
                                         Loss{"stuck", 1, results::Outcome::timed_out, "never left operation "},
                                         Loss{"absent", 2, results::Outcome::timed_out, "never entered operation "}));

TEST(HostAllreduceFaults, ARateWhoseBytesNoNicSawIsUnknown) {
  const auto run =
      checked(Job{.arguments = {"-b", "1M", "-e", "1M", "-n", "50"}, .fault = "elsewhere", .faulty_rank = 2});
  expect_fault(run, Status::unknown, "traffic_unseen", {{"host", "elsewhere"}});
  EXPECT_GT(count(run, "host_allreduce.nic_bytes"), 0U);
}

TEST(HostAllreduceFaults, AHostThatCannotLockMemoryIsNamed) {
  const TemporaryFolder folder;
  folder.write("locking.json", locking);
  const auto profile = (folder.path() / "locking.json").string();
  if (geteuid() == 0) expect_healthy(checked(Job{.arguments = small, .profile = profile}));
  const auto run = checked(Job{.arguments = small, .fault = "little_memlock", .faulty_rank = 2, .profile = profile});
  expect_fault(run, Status::fail, "memlock_too_low", {{"host", run.host}});
}

TEST(HostAllreduceFaults, OneRankMeasuresNothing) {
  const auto run = checked(Job{.ranks = 1});
  expect_fault(run, Status::unknown, "check_error", {});
  EXPECT_EQ(run.reason, "one rank moves no data: start several with mpirun, or say --ranks 1");
  EXPECT_TRUE(run.measurements.empty());
}

TEST(HostAllreduceFaults, ALauncherOfAnotherLibraryMeasuresNothing) {
  for (const auto& [environment, told] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"PMI_SIZE=16"}, "a launcher started 16 ranks (PMI_SIZE=16), but "},
           {{"PMI_SIZE=16", "PMI_RANK=0", "HYDI_CONTROL_FD=7"},
            "mpiexec of MPICH started 16 ranks (PMI_SIZE=16), but "},
           {{"FLUX_TASK_RANK=0", "FLUX_JOB_SIZE=2"}, "flux run started 2 ranks (FLUX_JOB_SIZE=2), but "}}) {
    const auto run = checked(Job{.ranks = 1, .environment = environment});
    expect_fault(run, Status::unknown, "check_error", {});
    EXPECT_TRUE(run.reason.starts_with(told)) << run.reason;
    EXPECT_TRUE(run.measurements.empty());
  }
}

TEST(HostAllreduce, AHealthyJobStaysGreen) {
  const auto run = checked(Job{.arguments = small});
  expect_healthy(run);
  EXPECT_EQ(count(run, "host_allreduce.bus_bandwidth"), 2U);
}

TEST(HostAllreduce, GroupsMeasureAtTheSameTime) {
  const auto run = checked(Job{.arguments = {"-b", "64K", "-e", "64K", "-n", "20", "--in-place", "--split", "mod:2"}});
  expect_healthy(run);
  EXPECT_EQ(count(run, "host_allreduce.bus_bandwidth"), 1U);
  EXPECT_EQ(count(run, "host_allreduce.group_bandwidth"), 2U);
}

TEST(HostAllreduceRateFaults, ASlowGroupIsNamed) {
  const Job healthy{.ranks = 10, .arguments = {"-b", "64K", "-e", "64K", "-n", "20", "--in-place", "--split", "mod:5"}};
  expect_healthy(checked(healthy));
  auto job = healthy;
  job.fault = "slow";
  job.faulty_rank = 6;
  expect_fault(checked(job), Status::warn, "host_allreduce_group_slow", {{"group", "1"}});
}

TEST(HostAllreduceRate, ASlowRankSlowsItsGroupAlone) {
  const auto run = checked(Job{.arguments = {"-b", "64K", "-e", "64K", "-n", "50", "--in-place", "--split", "mod:2"},
                               .fault = "slow",
                               .faulty_rank = 1});
  const auto rate = [&](const std::string& group) {
    const auto found = std::ranges::find_if(run.measurements, [&](const results::Measurement& each) {
      return each.metric == "host_allreduce.group_bandwidth" && each.labels.at("group") == group;
    });
    return std::get<results::Quantity>(found->value).value;
  };
  EXPECT_LT(10 * rate("1"), rate("0"));
}

TEST(HostAllreduce, OneRankThatWasAskedForHasNoBusBandwidth) {
  auto job = Job{.ranks = 1, .arguments = small};
  job.arguments.insert(job.arguments.end(), {"--ranks", "1"});
  const auto run = checked(job);
  expect_healthy(run);
  EXPECT_EQ(count(run, "host_allreduce.bus_bandwidth"), 0U);
  EXPECT_EQ(count(run, "host_allreduce.algorithm_bandwidth"), 2U);
}

class EveryCollective : public testing::TestWithParam<std::string> {};

TEST_P(EveryCollective, OfThreeRanksIsRight) {
  for (const auto& type : drawn(2, {"float", "double", "int8", "int32", "int64", "uint64"})) {
    SCOPED_TRACE(type);
    expect_healthy(
        checked(Job{.ranks = 3, .arguments = {"--operation", GetParam(), "-d", type, "-e", "64K", "-n", "6"}}));
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, EveryCollective,
                         testing::Values("allreduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all",
                                         "send-recv"));

TEST(EveryReduction, OfThreeRanksIsRight) {
  for (const auto& reduction : drawn(2, {"sum", "prod", "min", "max"})) {
    SCOPED_TRACE(reduction);
    expect_healthy(checked(Job{.ranks = 3, .arguments = {"-o", reduction, "-d", "int8", "-e", "64K", "-n", "6"}}));
  }
}

}  // namespace
}  // namespace muster::tests
