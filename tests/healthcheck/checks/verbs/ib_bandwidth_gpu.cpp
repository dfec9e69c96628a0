// SPDX-License-Identifier: Apache-2.0
// What ib_bandwidth measures of memory of GPUs.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/rdma.hpp"
#include "topology/devices/pci.hpp"

namespace muster::tests {
namespace {

using results::Labels;
using results::Status;

// A node whose adapter mlx5_ib0 has the GPU 0001:00:00.0 beside it.
class IbBandwidthGpu : public RdmaInMemory {
 protected:
  IbBandwidthGpu() { copy_machine("ndv5", tree_); }
  results::CheckRun run(std::vector<std::string> options, results::Tier tier = results::Tier::quick) const {
    options.insert(options.end(), {"--nic", "mlx5_ib0"});
    return checked(tree_.path(), "generic", {.tier = tier, .options = few_samples(std::move(options))});
  }

  TemporaryFolder tree_;
};
using IbBandwidthGpuFaults = IbBandwidthGpu;

const Labels mlx5 = {{"nic", "mlx5_ib0"}, {"port", "1"}};

// Of all rates: the memory, and by what it was reached.
std::set<std::pair<std::string, std::string>> memories(const results::CheckRun& run) {
  std::set<std::pair<std::string, std::string>> all;
  for (const auto* fact : of(run, "ib_bandwidth.bandwidth")) {
    const auto by = fact->labels.find("gpudirect");
    all.emplace(fact->labels.at("memory"), by == fact->labels.end() ? "" : by->second);
  }
  return all;
}

TEST_F(IbBandwidthGpu, MemoryOfTheGpuBesideTheAdapterIsMeasuredAndVerified) {
  const auto healthy = run({"--memory", "gpu"});
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 3U);
  EXPECT_EQ(memories(healthy), (std::set<std::pair<std::string, std::string>>{{"gpu", "dma-buf"}}));
  EXPECT_EQ(of(healthy, "ib_bandwidth.gpu").at(0)->value, results::Value("0001:00:00.0"));
}

TEST_F(IbBandwidthGpu, WithoutDmaBufItIsReachedByItsAddress) {
  break_verbs("gpu_no_dma_buf");
  EXPECT_EQ(memories(run({"--memory", "gpu"})),
            (std::set<std::pair<std::string, std::string>>{{"gpu", "nvidia-peermem"}}));
}

TEST_F(IbBandwidthGpu, OnlyAFullRunMeasuresItUnasked) {
  EXPECT_EQ(memories(run({})), (std::set<std::pair<std::string, std::string>>{{"host", ""}}));
  EXPECT_EQ(memories(run({}, results::Tier::full)),
            (std::set<std::pair<std::string, std::string>>{{"host", ""}, {"gpu", "dma-buf"}}));
}

TEST_F(IbBandwidthGpuFaults, WhatCannotBeReachedIsUnknownAndNotMeasuredElsewhere) {
  for (const char* fault : {"gpu_unreachable", "gpu_none"}) {
    break_verbs(fault);
    const auto refused = run({"--memory", "gpu"});
    expect_fault(refused, Status::unknown, "gpudirect_refused", mlx5);
    EXPECT_EQ(memories(refused).size(), 0U);
  }
}

TEST_F(IbBandwidthGpuFaults, AGpuThatIsNotThereIsUnknown) {
  for (const auto& gpu : topology::nvidia_gpus(topology::Sysfs(tree_.path())))
    std::filesystem::remove(tree_.path() / "sys/bus/pci/devices" / gpu.address);
  expect_fault(run({"--memory", "gpu"}), Status::unknown, "gpudirect_refused", mlx5);
}

TEST_F(IbBandwidthGpu, NoneBesideTheAdapterIsSaidInAFullRunAndIsNoFault) {
  for (const auto& gpu : topology::nvidia_gpus(topology::Sysfs(tree_.path())))
    std::filesystem::remove(tree_.path() / "sys/bus/pci/devices" / gpu.address);
  const auto healthy = run({}, results::Tier::full);
  expect_healthy(healthy);
  ASSERT_EQ(of(healthy, "ib_bandwidth.gpu").size(), 1U);
  EXPECT_EQ(of(healthy, "ib_bandwidth.gpu").at(0)->value, results::Value("no GPU is beside it"));
}

TEST_F(IbBandwidthGpuFaults, AFlippedBitInItIsWrongData) {
  break_verbs("verbs_flipped_bit");
  expect_fault(run({"--memory", "gpu"}), Status::fail, "rdma_wrong_data", mlx5);
}

TEST_F(IbBandwidthGpuFaults, WhatCannotBeVerifiedIsNotMeasured) {
  break_verbs("gpu_copy");
  const auto blind = run({"--memory", "gpu"});
  expect_fault(blind, Status::unknown, "rdma_refused", mlx5);
  EXPECT_EQ(memories(blind).size(), 0U);
}

// Two such nodes.
class IbBandwidthGpuBetween : public RdmaInMemory {
 protected:
  IbBandwidthGpuBetween() {
    copy_machine("ndv5", tree_);
    count_into("mlx5_ib0", tree_.path() / "sys/class/infiniband/mlx5_ib0/ports/1/counters/port_xmit_data");
  }
  results::CheckRun run() const {
    return checked({tree_.path(), tree_.path()}, "generic",
                   {.options = few_samples({"--memory", "gpu", "--nic", "mlx5_ib0", "--operation", "write"})});
  }

  TemporaryFolder tree_;
};
using IbBandwidthGpuBetweenFaults = IbBandwidthGpuBetween;

TEST_F(IbBandwidthGpuBetween, MemoryOfTheirGpusIsMeasuredAndVerified) {
  const auto healthy = run();
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 2U);
  EXPECT_EQ(memories(healthy), (std::set<std::pair<std::string, std::string>>{{"gpu", "dma-buf"}}));
}

TEST_F(IbBandwidthGpuBetweenFaults, WhatCannotBeVerifiedIsNoFaultOfThePath) {
  break_verbs("gpu_copy");
  const auto blind = run();
  expect_fault(blind, Status::unknown, "rdma_refused", {{"host", "host1"}, {"nic", "mlx5_ib0"}});
  EXPECT_EQ(accused(blind), std::set<std::string>{"host1"}) << "who took it is who cannot tell";
  EXPECT_EQ(blind.status, Status::unknown);
  EXPECT_EQ(memories(blind).size(), 0U);
}

// Two adapters of one such node, each with the GPU beside it.
class IbBandwidthGpuOfPorts : public RdmaInMemory {
 protected:
  IbBandwidthGpuOfPorts() {
    copy_machine("ndv5", tree_);
    for (const std::string nic : {"mlx5_ib0", "mlx5_ib1"})
      count_into(nic, tree_.path() / "sys/class/infiniband" / nic / "ports/1/counters/port_xmit_data");
  }
  results::CheckRun run() const {
    return checked(tree_.path(), "generic",
                   {.options = few_samples(
                        {"--between-ports", "--memory", "gpu", "--nic", "mlx5_ib0,mlx5_ib1", "--operation", "write"})});
  }

  TemporaryFolder tree_;
};
using IbBandwidthGpuOfPortsFaults = IbBandwidthGpuOfPorts;

TEST_F(IbBandwidthGpuOfPorts, MemoryOfTheirGpusIsMeasuredAndVerified) {
  const auto healthy = run();
  expect_healthy(healthy);
  EXPECT_EQ(measured(healthy, {"nic", "partner_nic", "memory"}),
            (std::set<std::vector<std::string>>{{"mlx5_ib0", "mlx5_ib1", "gpu"}, {"mlx5_ib1", "mlx5_ib0", "gpu"}}));
}

TEST_F(IbBandwidthGpuOfPortsFaults, WhatCannotBeVerifiedIsOfThePortThatTookIt) {
  break_verbs("gpu_copy");
  const auto blind = run();
  expect_fault(blind, Status::unknown, "rdma_refused", {{"nic", "mlx5_ib1"}});
  EXPECT_EQ(accused(blind, "nic"), std::set<std::string>{"mlx5_ib1"});
  EXPECT_EQ(memories(blind).size(), 0U);
}

}  // namespace
}  // namespace muster::tests
