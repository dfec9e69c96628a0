// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using results::Status;

const results::Labels rxe0 = {{"nic", "rxe0"}, {"port", "1"}};

// A machine with one Soft-RoCE device, whose libibverbs is that of verbs_in_memory.cpp.
class IbBandwidthFaults : public testing::TestWithParam<const char*> {
 protected:
  IbBandwidthFaults() {
    tree_.write("proc/version", "Linux\n");
    tree_.write("sys/class/infiniband/rxe0/parent", "eth0\n");
    tree_.write("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE\n");
    tree_.write("sys/class/infiniband/rxe0/ports/1/link_layer", "Ethernet\n");
    tree_.write("sys/class/net/eth0/statistics/tx_bytes", "1000\n");
  }
  void TearDown() override { unsetenv("MUSTER_FAULT"); }

  static void break_verbs(const char* fault) { setenv("MUSTER_FAULT", fault, 1); }
  results::CheckRun run() const { return checked(tree_.path()); }

  TemporaryFolder tree_;
};

// What is no fault, and so does not turn red with a judge that always passes.
class IbBandwidthOtherwise : public IbBandwidthFaults {};

std::vector<const results::Measurement*> of(const results::CheckRun& run, std::string_view metric) {
  std::vector<const results::Measurement*> found;
  for (const auto& fact : run.measurements)
    if (fact.metric == metric) found.push_back(&fact);
  return found;
}

using IbBandwidthRefusedFaults = IbBandwidthFaults;

TEST_P(IbBandwidthRefusedFaults, AreNamed) {
  break_verbs(GetParam());
  expect_fault(run(), Status::warn, "rdma_refused", rxe0);
}

INSTANTIATE_TEST_SUITE_P(Of, IbBandwidthRefusedFaults,
                         testing::Values("verbs_unknown", "verbs_forbidden", "verbs_down", "verbs_no_gid",
                                         "verbs_no_partition", "verbs_no_lock", "verbs_retries", "verbs_hangs"),
                         [](const auto& each) { return std::string(each.param); });

TEST_F(IbBandwidthFaults, AFlippedBitIsWrongData) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run();
  for (const auto* operation : {"write", "read", "send"}) {
    results::Labels labels = rxe0;
    labels.emplace("operation", operation);
    expect_fault(broken, Status::fail, "rdma_wrong_data", labels);
  }
}

TEST_F(IbBandwidthOtherwise, EveryOperationIsMeasuredAndVerified) {
  const auto healthy = run();
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 3U);
}

TEST_F(IbBandwidthOtherwise, WhatNoCounterSawIsLoopBack) {
  const auto quiet = run();
  for (const auto* fact : of(quiet, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "loop-back");
}

TEST_F(IbBandwidthOtherwise, WhatTheCountersSawIsOfTheWire) {
  const std::jthread wire([&](const std::stop_token& stop) {
    for (std::int64_t bytes = 0; !stop.stop_requested(); bytes += std::int64_t{1} << 40) {
      tree_.write("next", std::to_string(bytes) + "\n");
      std::filesystem::rename(tree_.path() / "next", tree_.path() / "sys/class/net/eth0/statistics/tx_bytes");
    }
  });
  const auto seen = run();
  EXPECT_EQ(of(seen, "ib_bandwidth.bandwidth").size(), 3U);
  for (const auto* fact : of(seen, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "wire");
}

TEST_F(IbBandwidthOtherwise, WithoutCountersThePathIsUnseen) {
  std::filesystem::remove(tree_.path() / "sys/class/net/eth0/statistics/tx_bytes");
  const auto blind = run();
  for (const auto* fact : of(blind, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "unseen");
}

TEST_F(IbBandwidthOtherwise, AMachineWithoutADeviceHasNothingToMeasure) {
  std::filesystem::remove_all(tree_.path() / "sys/class/infiniband");
  EXPECT_EQ(run().reason, "no RDMA device");
}

TEST_F(IbBandwidthOtherwise, AMachineWithoutAnActivePortHasNothingToMeasure) {
  tree_.write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
  EXPECT_EQ(run().reason, "no port is active");
}

}  // namespace
}  // namespace muster::tests
