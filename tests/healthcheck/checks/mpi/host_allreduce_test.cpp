// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/drawn.hpp"
#include "tests/support/files.hpp"
#include "tests/support/job.hpp"

namespace muster::tests {
namespace {

using results::Status;

const std::vector<std::string> small{"-b", "4K", "-e", "64K", "-n", "20", "--out-of-place"};

// A profile by which a job passes with half of a healthy one's rate, and fails below a share of it.
std::string calibrated(double healthy_rate, double failing_share) {
  return fmt::format(R"({{
  "name": "calibrated", "extends": "generic", "description": "What a healthy job of the same minute does",
  "expectations": [
    {{ "check": "host_allreduce", "metric": "host_allreduce.bus_bandwidth", "labels": {{ "size": "64 KiB" }},
      "bound": "at_least", "unit": "B/s", "pass": {}, "fail": {}, "noise": 0.2, "tier": "quick", "fault": "host_allreduce_slow",
      "source": "a job beside it", "date": "2026-12-01" }}
  ]
}})",
                     healthy_rate / 2, failing_share * healthy_rate);
}

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

// The rate of a job without groups, or the lowest of its groups.
double rate_of(const results::CheckRun& run) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const auto& each : run.measurements)
    if (each.metric == "host_allreduce.bus_bandwidth" || each.metric == "host_allreduce.group_bandwidth")
      lowest = std::min(lowest, std::get<results::Quantity>(each.value).value);
  return lowest;
}

struct Delay {
  std::string fault;
  int rank = 0;
  double failing_share = 0.25;  // of a healthy job's rate
};

// Runs the job with each delay, many times what it takes, between two jobs without one. Where the second of these is
// not healthy by the rate of the first, this machine is too noisy to tell: again, a few times.
std::vector<results::CheckRun> beside_healthy_jobs(const Job& healthy, const std::vector<Delay>& delays) {
  constexpr int max_rounds = 5;
  constexpr double times_slower = 20;
  const TemporaryFolder folder;
  for (int round = 0; round < max_rounds; ++round) {
    const double rate = rate_of(checked(healthy));
    const auto judged = [&](Job job, double failing_share) {
      folder.write("calibrated.json", calibrated(rate, failing_share));
      job.profile = (folder.path() / "calibrated.json").string();
      return checked(job);
    };
    const double milliseconds = std::max(3.0, std::ceil(times_slower * 1e3 * 1.5 * 65536 / rate));
    std::vector<results::CheckRun> runs;
    for (const auto& [fault, rank, failing_share] : delays) {
      auto job = healthy;
      job.fault = fault;
      job.faulty_rank = rank;
      job.environment = {fmt::format("MUSTER_FAULT_MS={:.0f}", milliseconds)};
      runs.push_back(judged(job, failing_share));
    }
    if (judged(healthy, Delay{}.failing_share).status == Status::pass) return runs;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  throw std::runtime_error("this machine is too noisy: healthy jobs do not pass by half of each other's rate");
}

TEST(HostAllreduceRateFaults, ASlowRankAndALateOneAreNamedAndBetweenTheThresholdsASuspect) {
  const Job healthy{.arguments = {"-b", "64K", "-e", "64K", "--in-place"}};
  const auto runs = beside_healthy_jobs(healthy, {{.fault = "slow", .rank = 1},
                                                  {.fault = "late", .rank = 2},
                                                  {.fault = "late", .rank = 2, .failing_share = 0.0005}});
  expect_fault(runs[0], Status::fail, "host_allreduce_slow", {{"size", "64 KiB"}});
  expect_fault(runs[1], Status::fail, "host_allreduce_late_rank", {{"rank", "2"}, {"size", "64 KiB"}});
  EXPECT_EQ(runs[2].status, Status::warn);
  expect_fault(runs[2], Status::warn, "host_allreduce_slow", {{"size", "64 KiB"}});
  expect_fault(runs[2], Status::warn, "host_allreduce_late_rank", {{"rank", "2"}, {"size", "64 KiB"}});
}

TEST(HostAllreduceRateFaults, ASlowGroupIsNamed) {
  const Job healthy{.ranks = 10, .arguments = {"-b", "64K", "-e", "64K", "-n", "20", "--in-place", "--split", "mod:5"}};
  const auto runs = beside_healthy_jobs(healthy, {{.fault = "slow", .rank = 6}});
  expect_fault(runs[0], Status::warn, "host_allreduce_group_slow", {{"group", "1"}});
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
