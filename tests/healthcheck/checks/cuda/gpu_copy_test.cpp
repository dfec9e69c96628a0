// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <hwloc.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/healthcheck/checks/cuda/eight_gpus.hpp"
#include "tests/support/checked.hpp"

namespace {
constexpr const char* wanted_topology = "MUSTER_WANTED_TOPOLOGY";  // of the machine, as hwloc writes it
}

// In place of hwloc's own, which would tell of this machine.
int hwloc_topology_load(hwloc_topology_t topology) {
  const auto load = std::bit_cast<decltype(&hwloc_topology_load)>(dlsym(RTLD_NEXT, "hwloc_topology_load"));
  if (const char* wanted = std::getenv(wanted_topology)) hwloc_topology_set_synthetic(topology, wanted);
  return load(topology);
}

namespace muster::tests {
namespace {

using results::Labels;
using results::Status;

class GpuCopyFaults : public EightGpus {
 protected:
  GpuCopyFaults() { options_ = {"--bytes", "64K"}; }

  void expect(std::string_view fault, Status status, std::string_view code, const Labels& labels) {
    expect_fault(run(fault), status, code, labels);
  }
};

// What is no fault, and so does not turn red with a judge that always passes.
class GpuCopyOtherwise : public GpuCopyFaults {};

TEST_F(GpuCopyOtherwise, AHealthyNodeIsNotAccused) {
  const auto of_run = run("");
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_copy.bandwidth", {{"gpu", "7"}, {"direction", "both"}}), "110 GB/s");
  EXPECT_EQ(text(of_run, "gpu_copy.peers_reached"), "7");
  expect_healthy(run("", "generic"));
}

TEST_F(GpuCopyOtherwise, EveryPairIsMeasuredOnceInEachDirection) {
  const auto of_run = run("", ndv5_profile, {.tier = results::Tier::full});
  expect_healthy(of_run);
  const auto pairs_of = [&](std::string_view direction) {
    return std::ranges::count_if(of_run.measurements, [&](const auto& fact) {
      return fact.metric == "gpu_copy.bandwidth" && fact.labels.at("direction") == direction;
    });
  };
  EXPECT_EQ(pairs_of("peer_to_peer"), 56);
  EXPECT_EQ(pairs_of("peer_to_peer_both"), 28);
}

TEST_F(GpuCopyOtherwise, AMachineOfOneGpuHasNoPeers) {
  for (const auto* domain : {"0001", "0002", "0003", "0009", "000a", "000b", "000c"})
    std::filesystem::remove_all(tree_.path() / "sys/bus/pci/devices" / (std::string(domain) + ":00:00.0"));
  const auto of_run = run("", "generic");
  expect_healthy(of_run);
  EXPECT_EQ(text(of_run, "gpu_copy.access", {{"gpu", "0"}, {"pci", "0008:00:00.0"}}), "granted");
  EXPECT_EQ(text(of_run, "gpu_copy.peers_reached", {}), "");
}

TEST_F(GpuCopyFaults, ASlowWayIn) {
  expect("gpu_slow_in", Status::fail, "gpu_copy_slow", {{"gpu", "3"}, {"direction", "host_to_device"}});
}

// Of two sockets.
TEST_F(GpuCopyFaults, ASlowWayInFromEverywhere) {
  setenv(wanted_topology, "numa:2 core:1 pu:1", 1);
  const auto of_run = run("gpu_slow_in");
  unsetenv(wanted_topology);
  for (const auto* metric : {"bandwidth", "kernel_bandwidth", "far_bandwidth", "together_bandwidth"})
    EXPECT_TRUE(std::ranges::any_of(of_run.verdicts, [&](const auto& verdict) {
      return verdict.metric == std::string("gpu_copy.") + metric && verdict.fault == "gpu_copy_slow" &&
             verdict.status != Status::pass && verdict.labels.at("gpu") == "3";
    })) << metric;
}

TEST_F(GpuCopyFaults, ASlowWayOut) {
  expect("gpu_slow_out", Status::fail, "gpu_copy_slow", {{"gpu", "3"}, {"direction", "device_to_host"}});
}

TEST_F(GpuCopyFaults, ASlowWayOutOfAMachineThatNobodyKnows) {
  expect_fault(run("gpu_slow_out", "generic"), Status::fail, "gpu_copy_slow",
               {{"gpu", "3"}, {"direction", "device_to_host"}});
}

TEST_F(GpuCopyFaults, SlowKernels) {
  const auto of_run = run("gpu_slow_kernels");
  expect_fault(of_run, Status::warn, "gpu_copy_slow", gpu3);
  EXPECT_NE(text(of_run, "gpu_copy.kernel_bandwidth"), text(of_run, "gpu_copy.kernel_bandwidth", {{"gpu", "4"}}));
}

TEST_F(GpuCopyFaults, ALongWayForLittle) { expect("gpu_slow_latency", Status::warn, "gpu_copy_slow", gpu3); }

TEST_F(GpuCopyFaults, SlowNvLinks) {
  const auto of_run = run("gpu_slow_peers");
  for (const auto* partner : {"0", "7"}) {
    expect_fault(of_run, Status::fail, "gpu_p2p_slow", {{"gpu", "3"}, {"partner", partner}});
    expect_fault(of_run, Status::fail, "gpu_p2p_slow", {{"gpu", partner}, {"partner", "3"}});
  }
  for (const auto& verdict : of_run.verdicts)
    if (verdict.fault == "gpu_p2p_slow") {
      EXPECT_TRUE(verdict.labels.at("gpu") == "3" || verdict.labels.at("partner") == "3");
    }
}

TEST_F(GpuCopyFaults, DataThatComeInWrong) {
  expect("gpu_miscopies_in", Status::fail, "gpu_copy_wrong_data", {{"gpu", "3"}, {"direction", "host_to_device"}});
}

TEST_F(GpuCopyFaults, DataThatGoOutWrong) {
  expect("gpu_miscopies_out", Status::fail, "gpu_copy_wrong_data", {{"gpu", "3"}, {"direction", "device_to_host"}});
}

TEST_F(GpuCopyFaults, DataThatReachPeersWrong) {
  expect("gpu_miscopies_to_peers", Status::fail, "gpu_copy_wrong_data", {{"gpu", "3"}, {"direction", "peer_to_peer"}});
}

TEST_F(GpuCopyFaults, AGpuThatReachesNoPeer) {
  const auto of_run = run("gpu_no_peers");
  expect_fault(of_run, Status::fail, "gpu_peers_unreached", {{"gpu", "3"}});
  expect_fault(of_run, Status::fail, "not_measured", {{"direction", "peer_to_peer"}});
}

TEST_F(GpuCopyFaults, AGpuThatIsLostMeanwhile) {
  const auto of_run = run("gpu_lost");
  expect_fault(of_run, Status::fail, "gpu_test_broke_off", gpu3);
  for (const auto* other : {"0", "7"}) EXPECT_EQ(text(of_run, "gpu_copy.outcome", {{"gpu", other}}), "completed");
  EXPECT_NE(text(of_run, "gpu_copy.bandwidth", {{"gpu", "0"}, {"partner", "7"}}), "");
}

TEST_F(GpuCopyFaults, ACallThatFailsOnAGpuThatGoesOnAccusesNobody) {
  const auto of_run = run("gpu_refuses");
  expect_fault(of_run, Status::unknown, "check_error", {});
  EXPECT_EQ(text(of_run, "gpu_copy.wrong_elements", {{"gpu", "0"}, {"direction", "host_to_device"}}), "0");
  EXPECT_EQ(text(of_run, "gpu_copy.outcome", {}), "");
}

TEST_F(GpuCopyFaults, NoDriver) { expect("gpu_no_driver", Status::unknown, "gpu_not_tested", gpu3); }

TEST_F(GpuCopyFaults, AGpuThatIsHidden) { expect("gpu_hidden", Status::unknown, "gpu_not_tested", gpu3); }

TEST_F(GpuCopyFaults, ALinkOfALowerGenerationUnderLoad) {
  gpu_["nvmlDeviceGetCurrPcieLinkGeneration"] = 1;
  say_of_gpu3();
  expect("", Status::warn, "pcie_link_reduced", gpu3);
}

TEST_F(GpuCopyFaults, HalfTheLanes) {
  gpu_["nvmlDeviceGetCurrPcieLinkWidth"] = 8;
  say_of_gpu3();
  expect("", Status::warn, "pcie_link_reduced", gpu3);
}

TEST_F(GpuCopyFaults, PacketsThatAreSentAgain) {
  const auto of_run = run("", ndv5_profile, {.seen = [&](const results::CheckRun& run) {
                            gpu_["nvmlDeviceGetPcieReplayCounter"] = 100;
                            if (run.phase.starts_with("copying with all")) say_of_gpu3();
                          }});
  expect_fault(of_run, Status::warn, "pcie_replays", gpu3);
}

TEST_F(GpuCopyFaults, LinksOfWhichNvmlDoesNotSay) {
  gpu_["nvmlDeviceGetPcieReplayCounter"] = {{"refused", 999}};
  say_of_gpu3();
  expect("", Status::unknown, "gpu_state_unreadable", gpu3);
}

}  // namespace
}  // namespace muster::tests
