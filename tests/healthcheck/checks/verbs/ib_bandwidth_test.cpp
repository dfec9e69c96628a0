// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <thread>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

const Given writes = {.options = {"--operation", "write"}};

class IbBandwidth : public RdmaMachine {};

TEST_F(IbBandwidth, EveryOperationIsMeasuredAndVerified) {
  const auto healthy = run();
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 3U);
}

TEST_F(IbBandwidth, WhatNoCounterSawIsLoopBack) {
  const auto quiet = run();
  EXPECT_EQ(of(quiet, "ib_bandwidth.bandwidth").size(), 3U);
  for (const auto* fact : of(quiet, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "loop-back");
}

TEST_F(IbBandwidth, WhatTheCountersSawIsOfTheWire) {
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

TEST_F(IbBandwidth, WithoutCountersThePathIsUnseen) {
  std::filesystem::remove(tree_.path() / "sys/class/net/eth0/statistics/tx_bytes");
  const auto blind = run();
  EXPECT_EQ(of(blind, "ib_bandwidth.bandwidth").size(), 3U);
  for (const auto* fact : of(blind, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "unseen");
}

using IbBandwidthBetweenFaults = RdmaMachines;
using IbBandwidthFourHostsFaults = RdmaMachines;

class IbBandwidthBetween : public RdmaMachines {};
class IbBandwidthBetweenRateFaults : public RdmaMachines {};

TEST_F(IbBandwidthBetween, OfThreeHostsOneIsIdleInEachRound) {
  const auto healthy = run(3);
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 9U);
  EXPECT_EQ(of(healthy, "ib_bandwidth.pair_bandwidth").size(), 18U);
}

TEST_F(IbBandwidthBetweenFaults, APortThatIsLostMeanwhileIsNamed) {
  break_verbs("verbs_lost");
  const auto broken = run(4, writes);
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

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
