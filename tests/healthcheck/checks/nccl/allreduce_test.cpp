// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/checked.hpp"
#include "tests/support/drawn.hpp"
#include "tests/support/files.hpp"
#include "tests/support/job.hpp"

// The check with CUDA and NCCL replaced by what MPI does between memories of hosts: all of its logic, and no GPU.
namespace muster::tests {
namespace {

using results::Status;

const std::vector<std::string> small{"-b", "4K", "-e", "64K", "-n", "20", "--out-of-place"};

// What NDv5 expects of the path, and a rate between what this machine does and what it does with a slow rank.
constexpr auto demanding = R"({
  "name": "demanding", "extends": "generic", "description": "A job that must go the way it should",
  "expectations": [
    { "check": "allreduce", "metric": "allreduce.transport", "bound": "equals", "value": "NET/IB", "tier": "quick",
      "fault": "nccl_transport_wrong", "source": "this test", "date": "2026-11-21" },
    { "check": "allreduce", "metric": "allreduce.gpu_direct", "bound": "equals", "value": "on", "tier": "quick",
      "fault": "nccl_gpu_direct_off", "source": "this test", "date": "2026-11-21" },
    { "check": "allreduce", "metric": "allreduce.topology_file", "bound": "equals", "value": "read", "tier": "quick",
      "fault": "nccl_topology_file_not_read", "source": "this test", "date": "2026-11-21" },
    { "check": "allreduce", "metric": "allreduce.bus_bandwidth", "labels": { "size": "64 KiB" },
      "bound": "at_least", "unit": "B/s", "pass": 2.4e6, "fail": 1.2e6, "noise": 0.2, "tier": "quick", "fault": "allreduce_slow",
      "source": "1.5 x 64 KiB in 40 ms and in 80 ms", "date": "2026-11-21" }
  ]
})";

std::string topology_file() { return (source_folder() / "topology/ndv5-topo.xml").string(); }

class AllreduceFaults : public testing::Test {
 protected:
  AllreduceFaults() { folder_.write("demanding.json", demanding); }

  results::CheckRun run(Job job) const {
    job.folder = bin_folder().parent_path() / "tests";
    if (job.arguments.empty()) job.arguments = small;
    return checked(job);
  }

  // As it must be to satisfy the demanding profile.
  Job sound() const {
    return {.arguments = {"-b", "64K", "-e", "64K"},
            .profile = (folder_.path() / "demanding.json").string(),
            .environment = {"MUSTER_PATH=NET/IB/0/GDRDMA", "NCCL_TOPO_FILE=" + topology_file()}};
  }

 private:
  TemporaryFolder folder_;
};

std::string value(const results::CheckRun& run, std::string_view metric) {
  const auto found = std::ranges::find(run.measurements, metric, &results::Measurement::metric);
  return found == run.measurements.end() ? "" : results::to_text(found->value);
}

using Allreduce = AllreduceFaults;

TEST_F(Allreduce, AHealthyJobStaysGreenAndSaysHowItWent) {
  const auto healthy = run(sound());
  expect_healthy(healthy);
  EXPECT_EQ(value(healthy, "allreduce.algorithm"), "RING");
  EXPECT_EQ(value(healthy, "allreduce.protocol"), "SIMPLE");
  EXPECT_EQ(value(healthy, "allreduce.channels"), "2");
  const auto rate = std::ranges::find(healthy.measurements, "allreduce.bus_bandwidth", &results::Measurement::metric);
  ASSERT_TRUE(rate->limit);
  EXPECT_EQ(rate->limit->source, "450 GB/s a GPU by its NVLinks, algorithm RING");
  EXPECT_EQ(value(healthy, "allreduce.network"), "IB");
  EXPECT_EQ(value(healthy, "allreduce.nvls"), "not available");
  EXPECT_EQ(value(healthy, "allreduce.uneven_nvlinks"), "none");
}

TEST_F(AllreduceFaults, AHostThatCannotLockMemoryIsNamed) {
  const auto broken = run({.fault = "little_memlock", .faulty_rank = 3, .profile = "nd96isr_h100_v5"});
  expect_fault(broken, Status::fail, "memlock_too_low", {{"host", broken.host}});
}

TEST_F(AllreduceFaults, AFlippedBitIsFoundAndItsRankNamed) {
  const auto broken = run({.fault = "nccl_flipped_bit", .faulty_rank = 2});
  expect_fault(broken, Status::fail, "allreduce_wrong_data", {{"rank", "2"}, {"size", "64 KiB"}});
  EXPECT_NE(value(broken, "allreduce.first_wrong").find(", element 7: expected bits "), std::string::npos);
}

TEST_F(AllreduceFaults, ASlowRankMakesTheJobSlow) {
  auto job = sound();
  job.fault = "nccl_slow";
  job.arguments.insert(job.arguments.end(), {"-n", "10", "--in-place"});  // each takes 150 ms
  expect_fault(run(job), Status::fail, "allreduce_slow", {{"size", "64 KiB"}});
}

TEST_F(AllreduceFaults, ARankThatIsAlwaysLateIsNamed) {
  auto job = sound();
  job.fault = "nccl_late";
  job.faulty_rank = 2;
  job.arguments.emplace_back("--in-place");
  expect_fault(run(job), Status::fail, "allreduce_late_rank",
               {{"rank", "2"}, {"pci", "0003:00:00.0"}, {"size", "64 KiB"}});
}

TEST_F(AllreduceFaults, AGpuThatLostAnNvlinkIsNamed) {
  for (const int rank : {0, 3}) {
    const auto broken = run({.fault = "nccl_lost_nvlink", .faulty_rank = rank});
    expect_fault(broken, Status::fail, "topology_uneven",
                 {{"host", broken.host}, {"pci", "000" + std::to_string(rank + 1) + ":00:00.0"}});
    EXPECT_EQ(value(broken, "allreduce.uneven_nvlinks"),
              "this GPU has 17 NVLinks and its siblings have 18; NCCL plans all rings with the least");
  }
}

TEST_F(AllreduceFaults, AnotherTransportIsSeen) {
  auto job = sound();
  job.environment.front() = "MUSTER_PATH=NET/Socket/0";
  const auto broken = run(job);
  expect_fault(broken, Status::fail, "nccl_transport_wrong", {});
  expect_fault(broken, Status::fail, "nccl_gpu_direct_off", {});
}

TEST_F(AllreduceFaults, AMissingTopologyFileIsSeen) {
  auto job = sound();
  job.environment.back() = "NCCL_TOPO_FILE=/nowhere/ndv5-topo.xml";
  const auto broken = run(job);
  expect_fault(broken, Status::fail, "nccl_topology_file_not_read", {});
  EXPECT_EQ(value(broken, "allreduce.topology_file"), "not read: /nowhere/ndv5-topo.xml : No such file or directory");
}

TEST_F(AllreduceFaults, APathThatNobodySawIsUnknown) {
  expect_fault(run({.fault = "nccl_silent"}), Status::unknown, "nccl_path_unseen", {{"size", "64 KiB"}});
}

TEST_F(AllreduceFaults, AnErrorOfNcclIsNamedWithItsRank) {
  const auto broken = run({.fault = "nccl_error", .faulty_rank = 1, .loses_ranks = true});
  expect_fault(broken, Status::unknown, "rank_lost", {{"rank", "1"}});
  EXPECT_NE(broken.reason.find("failed: ncclAllReduce failed: remote process exited"), std::string::npos)
      << broken.reason;
}

TEST_F(AllreduceFaults, ARankThatDiesInsideNcclIsNamed) {
  expect_fault(run({.fault = "nccl_dies", .faulty_rank = 2, .loses_ranks = true}), Status::unknown, "rank_lost",
               {{"rank", "2"}});
}

TEST_F(AllreduceFaults, ARankThatStopsInsideNcclIsNamed) {
  const auto broken =
      run({.arguments = {"--timeout", "4"}, .fault = "nccl_stops", .faulty_rank = 3, .loses_ranks = true});
  expect_fault(broken, Status::unknown, "rank_lost", {{"rank", "3"}});
}

TEST_F(AllreduceFaults, OneRankMeasuresNothing) {
  const auto alone = run({.ranks = 1});
  expect_fault(alone, Status::unknown, "check_error", {});
  EXPECT_EQ(alone.reason, "one rank moves no data: start several with mpirun, or say --ranks 1");
  EXPECT_TRUE(alone.measurements.empty());
}

TEST_F(AllreduceFaults, TwoRanksOnOneGpuMeasureNothing) {
  const auto shared = run({.ranks = 2, .environment = {"MUSTER_ONE_GPU=1"}});
  EXPECT_EQ(shared.outcome, results::Outcome::error);
  EXPECT_NE(shared.reason.find("rank 1 is on a GPU that another rank has: "), std::string::npos) << shared.reason;
  EXPECT_EQ(value(shared, "allreduce.bus_bandwidth"), "");
}

TEST_F(Allreduce, RanksShareAGpuWhereTheyMay) {
  std::vector<std::string> words = small;
  words.insert(words.end(), {"--ranks-per-gpu", "2"});
  const auto shared = run({.ranks = 2, .arguments = words, .environment = {"MUSTER_GPUS=1"}});
  EXPECT_EQ(shared.outcome, results::Outcome::finished) << shared.reason;
  EXPECT_NE(value(shared, "allreduce.bus_bandwidth"), "");
}

TEST_F(AllreduceFaults, RanksShareNoGpuWhereNcclIsToldOtherwise) {
  std::vector<std::string> words = small;
  words.insert(words.end(), {"--ranks-per-gpu", "2"});
  const auto shared = run({.ranks = 2,
                           .arguments = words,
                           .environment = {"MUSTER_GPUS=1", "NCCL_HOSTID=one", "NCCL_MULTI_RANK_GPU_ENABLE=0"}});
  EXPECT_EQ(shared.outcome, results::Outcome::error);
  EXPECT_NE(shared.reason.find("ncclCommInitRankConfig"), std::string::npos) << shared.reason;
}

TEST_F(Allreduce, BuffersAreRegisteredWhereAskedAndGivenBack) {
  EXPECT_EQ(value(run({.arguments = small}), "allreduce.buffers"), "not registered");
  auto job = small;
  job.emplace_back("--register");
  const auto registered = run({.arguments = job});
  expect_healthy(registered);
  EXPECT_EQ(value(registered, "allreduce.buffers"), "registered");
  EXPECT_EQ(value(registered, "allreduce.channels"), "4") << "NCCL was told of both";
}

TEST_F(Allreduce, TwoRanksMayShareAGpuWhereThatIsAllowed) {
  expect_healthy(run({.ranks = 2,
                      .arguments = {"-b", "4K", "-e", "4K", "-n", "10", "--ranks-per-gpu", "2"},
                      .environment = {"MUSTER_GPUS=1"}}));
}

TEST_F(Allreduce, WithoutAGpuItSaysSo) {
  const auto none = run({.ranks = 2, .environment = {"MUSTER_GPUS=0"}});
  EXPECT_EQ(none.outcome, results::Outcome::skipped);
  EXPECT_EQ(none.reason, "no CUDA-capable device is detected");
}

TEST_F(Allreduce, GroupsMeasureAtTheSameTime) {
  const auto split = run({.arguments = {"-b", "4K", "-e", "4K", "-n", "6", "--in-place", "--split", "div:2"}});
  expect_healthy(split);
  EXPECT_EQ(std::ranges::count(split.measurements, "allreduce.group_bandwidth", &results::Measurement::metric), 2);
}

using EveryCollectiveOfGpus = AllreduceFaults;

TEST_F(EveryCollectiveOfGpus, OfThreeRanksIsRight) {
  for (const auto& operation :
       drawn(3, {"allreduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all", "send-recv"})) {
    SCOPED_TRACE(operation);
    expect_healthy(run({.ranks = 3, .arguments = {"--operation", operation, "-b", "4K", "-e", "64K", "-n", "6"}}));
  }
}

TEST_F(EveryCollectiveOfGpus, OfEveryTypeIsRight) {
  for (const auto& type : drawn(3, {"float", "double", "half", "bfloat16", "int8", "int32", "int64", "uint64"})) {
    SCOPED_TRACE(type);
    expect_healthy(run({.arguments = {"-d", type, "-b", "4K", "-e", "4K", "-n", "6"}}));
  }
}

TEST_F(EveryCollectiveOfGpus, OfEveryReductionIsRight) {
  for (const auto& reduction : drawn(2, {"prod", "min", "max", "avg"}))
    for (const std::string type : {"half", "int8"}) {
      SCOPED_TRACE(reduction + " of " + type);
      expect_healthy(run({.arguments = {"-o", reduction, "-d", type, "-b", "4K", "-e", "4K", "-n", "6"}}));
    }
}

}  // namespace
}  // namespace muster::tests
