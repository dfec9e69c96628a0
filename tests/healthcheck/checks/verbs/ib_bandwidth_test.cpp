// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

const results::Labels rxe0 = {{"nic", "rxe0"}, {"port", "1"}};

using IbBandwidthFaults = RdmaMachine;

// What is no fault, and so does not turn red with a judge that always passes.
class IbBandwidthOtherwise : public RdmaMachine {};

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

TEST_F(IbBandwidthFaults, APortThatIsLostMeanwhileIsNamed) {
  break_verbs("verbs_lost");
  expect_fault(run(), Status::fail, "ib_port_down", rxe0);
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

const Given writes = {.options = {"--operation", "write"}};

using IbBandwidthBetweenFaults = RdmaMachines;

class IbBandwidthBetween : public RdmaMachines {};
class IbBandwidthBetweenRateFaults : public RdmaMachines {};

TEST_F(IbBandwidthBetween, EveryDirectionIsMeasuredAndVerified) {
  const auto healthy = run(2);
  expect_healthy(healthy);
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto* fact : of(healthy, "ib_bandwidth.bandwidth")) {
    const auto& labels = fact->labels;
    seen.emplace(labels.at("host"), labels.at("operation"));
    EXPECT_EQ(labels.at("nic"), labels.at("host") == "host0" ? "rxe0" : "rxe1");
    EXPECT_EQ(labels.at("partner_nic"), labels.at("host") == "host0" ? "rxe1" : "rxe0");
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST_F(IbBandwidthBetween, OfThreeHostsOneIsIdleInEachRound) {
  const auto healthy = run(3);
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 9U);
  EXPECT_EQ(of(healthy, "ib_bandwidth.pair_bandwidth").size(), 18U);
}

TEST_F(IbBandwidthBetween, HostsWithoutAnActivePortHaveNothingToMeasure) {
  trees_[0].write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband/rxe1");
  EXPECT_EQ(run(2).reason, "no RDMA port is active on any host");
}

TEST_F(IbBandwidthBetweenFaults, AFlippedBitIsOfWhoSentIt) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run(2, writes);
  expect_fault(broken, Status::fail, "rdma_wrong_data", {{"host", "host1"}, {"nic", "rxe1"}, {"partner", "host0"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

TEST_F(IbBandwidthBetweenFaults, APortThatIsLostMeanwhileIsNamed) {
  break_verbs("verbs_lost");
  const auto broken = run(4, writes);
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

TEST_F(IbBandwidthBetweenFaults, APortThatIsDownIsNamed) {
  trees_[1].write("sys/class/infiniband/rxe1/ports/1/state", "1: DOWN\n");
  const auto broken = run(2);
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

TEST_F(IbBandwidthBetweenFaults, APortThatOnlyOthersHaveIsNamed) {
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband/rxe1");
  expect_fault(run(2), Status::fail, "ib_port_down", {{"host", "host1"}, {"rail", "0"}});
}

TEST_F(IbBandwidthBetweenFaults, RoundsThatThereIsNoTimeForAreUnknown) {
  expect_fault(run(2, {.deadline = std::chrono::steady_clock::now()}), Status::unknown, "could_not_measure", {});
}

TEST_F(IbBandwidthBetweenFaults, APortThatIsRefusedIsNamed) {
  for (const char* fault : {"verbs_forbidden", "verbs_no_lock"}) {
    break_verbs(fault);
    const auto broken = run(2);
    expect_fault(broken, Status::warn, "rdma_refused", {{"host", "host1"}, {"nic", "rxe1"}});
    EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
  }
}

using IbBandwidthTwoHostsFaults = IbBandwidthBetweenFaults;

TEST_P(IbBandwidthTwoHostsFaults, AreOfBoth) {
  break_verbs(GetParam());
  const auto broken = run(2, writes);
  expect_fault(broken, Status::fail, "rdma_path_broken", {{"host", "host0 host1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host0 host1"});
}

INSTANTIATE_TEST_SUITE_P(Of, IbBandwidthTwoHostsFaults,
                         testing::Values("verbs_unreachable", "verbs_retries", "verbs_hangs"),
                         [](const auto& each) { return std::string(each.param); });

using IbBandwidthFourHostsFaults = IbBandwidthBetweenFaults;

TEST_P(IbBandwidthFourHostsFaults, AreOfTheOne) {
  break_verbs(GetParam());
  const auto broken = run(4, writes);
  expect_fault(broken, Status::fail, "rdma_path_broken", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

INSTANTIATE_TEST_SUITE_P(Of, IbBandwidthFourHostsFaults, testing::Values("verbs_unreachable", "verbs_retries"),
                         [](const auto& each) { return std::string(each.param); });

TEST_F(IbBandwidthBetweenRateFaults, OfFourHostsTheSlowOneIsNamed) {
  const TemporaryFolder folder;
  folder.write("calibrated.json", R"({
  "name": "calibrated", "extends": "generic", "description": "Messages of 1 KiB in memory",
  "expectations": [
    { "check": "ib_bandwidth", "metric": "ib_bandwidth.bandwidth", "labels": { "operation": "write" },
      "bound": "at_least", "unit": "bit/s", "pass": 0.6e9, "fail": 0.5e9, "tier": "quick", "fault": "ib_bandwidth_low",
      "source": "32 KiB in 0.5 ms", "date": "2026-11-22" }
  ]
})");
  const auto profile = (folder.path() / "calibrated.json").string();
  const Given small = {.options = {"-s", "1K", "--operation", "write"}};
  expect_healthy(run(4, small, profile));
  break_verbs("verbs_slow");
  const auto slow = run(4, small, profile);
  expect_fault(slow, Status::fail, "ib_bandwidth_low", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(slow), std::set<std::string>{"host1"});
}

}  // namespace
}  // namespace muster::tests
