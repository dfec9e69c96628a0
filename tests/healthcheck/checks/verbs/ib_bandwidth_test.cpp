// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

const Given writes = {.options = {"--operation", "write"}};

class IbBandwidth : public RdmaMachine {};

TEST_F(IbBandwidth, EveryOperationIsMeasuredAndVerified) {
  const auto healthy = run();
  expect_healthy(healthy);
  const auto rates = of(healthy, "ib_bandwidth.bandwidth");
  const auto averages = of(healthy, "ib_bandwidth.average");
  ASSERT_EQ(rates.size(), 3U);
  ASSERT_EQ(averages.size(), 3U);
  for (std::size_t at = 0; at < rates.size(); ++at) {
    EXPECT_EQ(averages[at]->labels, rates[at]->labels);
    const auto average = std::get<results::Quantity>(averages[at]->value).value;
    EXPECT_GE(average, rates[at]->summary->minimum);
    EXPECT_LE(average, rates[at]->summary->maximum);
  }
}

TEST_F(IbBandwidth, WhatNoCounterSawIsLoopBack) {
  const auto quiet = run();
  EXPECT_EQ(of(quiet, "ib_bandwidth.bandwidth").size(), 3U);
  for (const auto* fact : of(quiet, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "loop-back");
}

TEST_F(IbBandwidth, OnlyAnotherDepthThanTheUsualIsALabel) {
  struct Row {
    const char* depth;
    const char* size;
    const char* expected;
  };
  for (const auto& [depth, size, expected] :
       {Row{"128", "4K", ""}, {"64", "4K", "64"}, {"128", "1M", "64"}, {"32", "1M", "32"}}) {
    const auto healthy = run({"-t", depth, "-s", size, "-n", "6"});
    const auto& labels = of(healthy, "ib_bandwidth.bandwidth").at(0)->labels;
    EXPECT_EQ(labels.contains("depth") ? labels.at("depth") : "", expected);
  }
}

TEST_F(IbBandwidth, WhatAPortSendsToItselfIsLoopBackWhateverItSendsToOthers) {
  const auto counter = tree_.path() / "sys/class/net/eth0/statistics/tx_bytes";
  count_into("rxe0", counter);
  const auto busy = run();
  count_no_more();
  EXPECT_EQ(of(busy, "ib_bandwidth.bandwidth").size(), 3U);
  for (const auto* fact : of(busy, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "loop-back");
  for (const auto* fact : of(busy, "ib_bandwidth.wire_share"))
    EXPECT_GE(std::get<results::Quantity>(fact->value).value, 1);
  std::filesystem::remove(counter);
  const auto blind = run();
  EXPECT_EQ(of(blind, "ib_bandwidth.wire_share").size(), 0U);
  for (const auto* fact : of(blind, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("path"), "loop-back");
}

TEST_F(IbBandwidth, SeveralQueuePairsShareTheirMessages) {
  const auto healthy = run({"-q", "4"});
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 3U);
  for (const auto* fact : of(healthy, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->labels.at("queue_pairs"), "4");
}

using IbBandwidthFaults = RdmaMachine;

TEST_F(IbBandwidthFaults, WhatOneQueuePairSpoilsNoOtherWritesOver) {
  break_verbs("verbs_flips_of_first_pair");
  const auto broken = run({"-q", "2", "-t", "9"});
  for (const auto* operation : {"write", "read", "send"})
    expect_fault(broken, Status::fail, "rdma_wrong_data", {{"nic", "rxe0"}, {"operation", operation}});
}

using IbBandwidthBetweenFaults = RdmaMachines;
using IbBandwidthFourHostsFaults = RdmaMachines;

class IbBandwidthBetween : public RdmaMachines {};
class IbBandwidthBetweenRateFaults : public RdmaMachines {};

TEST_F(IbBandwidthBetween, OfThreeHostsOneIsIdleInEachRound) {
  const auto healthy = run(3);
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 9U);
  EXPECT_EQ(of(healthy, "ib_bandwidth.received_bandwidth").size(), 9U);
  EXPECT_EQ(of(healthy, "ib_bandwidth.pair_bandwidth").size(), 18U);
}

TEST_F(IbBandwidthBetween, BothDirectionsAtOnceAreOfEachHost) {
  const auto healthy = run(2, {.options = {"--bidirectional", "-q", "2"}});
  expect_healthy(healthy);
  std::set<std::vector<std::string>> wanted;
  for (const auto* host : {"host0", "host1"})
    for (const auto* operation : {"write", "read", "send"}) wanted.insert({host, operation, "both"});
  EXPECT_EQ(measured(healthy, {"host", "operation", "direction"}), wanted);
}

TEST_F(IbBandwidthBetween, BothDirectionsAtOnceGoOnUntilTheEnd) {
  const TemporaryFolder folder;
  const auto profile = profile_of_rates(folder, {R"("metric": "ib_bandwidth.bandwidth", "pass": 2, "fail": 1)"});
  const auto time_of = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"-s", "1K", "--operation", "write"});
    const auto started = std::chrono::steady_clock::now();
    const auto healthy = run(2, {.options = std::move(options)}, profile);
    expect_healthy(healthy);
    for (const auto* fact : of(healthy, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->stopping->pass_edge, 2);
    return std::chrono::steady_clock::now() - started;
  };
  EXPECT_LT(time_of({}), std::chrono::seconds(3));
  EXPECT_GE(time_of({"--bidirectional"}), std::chrono::seconds(3))
      << "or the other direction would be alone for a while";
}

TEST_F(IbBandwidthBetween, BothDirectionsAtOnceAreOneRound) {
  for (const auto& [options, left_out] : {std::pair<std::vector<std::string>, std::string>{{}, "2 of 2 rounds"},
                                          {{"--bidirectional"}, "1 of 1 rounds"}}) {
    Given late = {.options = options, .deadline = std::chrono::steady_clock::now()};
    late.options.insert(late.options.end(), {"--operation", "write"});
    const auto nothing = run(2, late);
    const auto facts = of(nothing, "ib_bandwidth.left_out");
    ASSERT_EQ(facts.size(), 1U);
    EXPECT_TRUE(std::get<std::string>(facts[0]->value).starts_with(left_out)) << results::to_text(facts[0]->value);
  }
}

TEST_F(IbBandwidthBetween, APathThatCrawlsIsNotCalledBroken) {
  break_verbs("verbs_crawls");
  const auto crawling = run_until_precise(2, writes);
  expect_healthy(crawling);
  const auto rates = of(crawling, "ib_bandwidth.bandwidth");
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_LT(rates[1]->stopping->n, 6U) << "or this was not slow";
}

TEST_F(RdmaRails, OfSeveralLinkLayersTheThresholdsAreThoseOfInfiniBand) {
  const TemporaryFolder folder;
  const auto profile = profile_of_rates(
      folder, {R"("metric": "ib_bandwidth.bandwidth", "labels": { "link_layer": "InfiniBand" }, "pass": 2, "fail": 1)",
               R"("metric": "ib_bandwidth.bandwidth", "labels": { "link_layer": "Ethernet" }, "pass": 4, "fail": 3)"});
  for (const std::string nic : {"rxe0", "rxe2"}) {
    const auto layer_file = "sys/class/infiniband/" + nic + "/ports/1/link_layer";
    for (const auto& tree : trees_) tree.write(layer_file, "InfiniBand\n");
    const auto mixed = run(profile, {"--nic", "rxe0,rxe2"});
    EXPECT_EQ(of(mixed, "ib_bandwidth.bandwidth").size(), 4U);
    for (const auto* fact : of(mixed, "ib_bandwidth.bandwidth")) EXPECT_EQ(fact->stopping->pass_edge, 2) << nic;
    for (const auto& tree : trees_) tree.write(layer_file, "Ethernet\n");
  }
}

using IbBandwidthOfPorts = RdmaPorts;

TEST_F(IbBandwidthOfPorts, BothDirectionsAtOnceAreOfEachPort) {
  const auto healthy = run({"--bidirectional", "--operation", "write"});
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_bandwidth.bandwidth").size(), 4U);
}

TEST_F(IbBandwidthOfPorts, ATakerThatOnePartnerSawIsNotJudged) {
  EXPECT_EQ(of(run(writes.options), "ib_bandwidth.received_bandwidth").size(), 4U);
  for (const auto* nic : {"rxe1", "rxe3"})
    tree_.write(std::string("sys/class/infiniband/") + nic + "/ports/1/link_layer", "InfiniBand\n");
  const auto two_and_two = run({"--operation", "write", "--nic", "rxe0,rxe1,rxe2,rxe3"});
  EXPECT_EQ(of(two_and_two, "ib_bandwidth.bandwidth").size(), 4U);
  for (const auto* metric : {"ib_bandwidth.received_bandwidth", "ib_bandwidth.pair_bandwidth"})
    EXPECT_EQ(of(two_and_two, metric).size(), 0U) << metric;
}

TEST_F(IbBandwidthOfPorts, AreMeasuredOneByOneWhereThatIsWanted) {
  std::vector<std::string> options = {"--one-by-one", "--operation", "write"};
  for (const auto* last : {"write between rxe3 and rxe1", "write between rxe1 and rxe3"}) {
    const auto alone = run(options);
    expect_healthy(alone);
    EXPECT_EQ(measured(alone, {"nic", "ports"}).size(), 4U);
    EXPECT_EQ(alone.phase, last);
    options.emplace_back("--bidirectional");
  }
  EXPECT_EQ(run(writes.options).phase, "write between ports of this machine");
}

using IbBandwidthRails = RdmaRails;

TEST_F(IbBandwidthRails, AreMeasuredOneByOneWhereThatIsWanted) {
  const auto alone = run("generic", {"--one-by-one", "--operation", "write"});
  expect_healthy(alone);
  EXPECT_EQ(measured(alone, {"nic", "ports"}),
            (std::set<std::vector<std::string>>{{"rxe0", "one by one"}, {"rxe2", "one by one"}}));
  EXPECT_EQ(alone.phase, "write with host1 on rail 1");
  EXPECT_EQ(run("generic", writes.options).phase, "write with host1");
}

TEST_F(IbBandwidthOfPorts, OneThatIsLostInBothDirectionsAtOnceIsSaidOnce) {
  break_verbs("verbs_lost");
  const auto broken = run({"--bidirectional", "--operation", "write"});
  const auto lost = of(broken, "ib_bandwidth.port_lost");
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost[0]->labels.at("nic"), "rxe1");
}

TEST_F(IbBandwidthBetweenFaults, OfBothDirectionsAtOnceAFlippedBitIsOfWhoSentIt) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run(2, {.options = {"--bidirectional", "--operation", "write"}});
  expect_fault(broken, Status::fail, "rdma_wrong_data", {{"host", "host1"}, {"nic", "rxe1"}, {"partner", "host0"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

TEST_F(IbBandwidthBetweenFaults, APathTooSlowForAnyMeasurementIsBroken) {
  break_verbs("verbs_crawls");
  const auto broken = run_until_precise(2, {.options = {"-q", "4", "-t", "3", "--operation", "write"}});
  expect_fault(broken, Status::fail, "rdma_path_broken", {{"host", "host0 host1"}});
  const auto reasons = of(broken, "ib_bandwidth.broken");
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(results::to_text(reasons[0]->value).find("too slow for any measurement"), std::string::npos)
      << results::to_text(reasons[0]->value);
  const auto rates = of(broken, "ib_bandwidth.bandwidth");
  ASSERT_EQ(rates.size(), 1U);
  EXPECT_EQ(rates[0]->labels.at("host"), "host0") << "the other way nothing is known";
}

TEST_F(IbBandwidthBetweenFaults, AQueuePairTooManyIsRefusedByThePort) {
  break_verbs("verbs_fourth_pair");
  expect_healthy(run(2, {.options = {"-q", "1", "--operation", "write"}}));
  const auto refused = run(2, {.options = {"-q", "4", "--operation", "write"}});
  expect_fault(refused, Status::unknown, "rdma_refused", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(refused), std::set<std::string>{"host1"});
  EXPECT_EQ(of(refused, "ib_bandwidth.bandwidth").size(), 0U);
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
  const std::string thresholds =
      R"("labels": { "operation": "write" }, "pass": 0.6e9, "fail": 0.5e9)";  // 32 KiB in 0.5 ms
  const auto profile = profile_of_rates(folder, {R"("metric": "ib_bandwidth.bandwidth", )" + thresholds,
                                                 R"("metric": "ib_bandwidth.received_bandwidth", )" + thresholds});
  const Given small = {.options = {"-s", "1K", "--operation", "write"}};
  expect_healthy(run(4, small, profile));
  for (const auto* fault : {"verbs_slow", "verbs_slow_taker"}) {
    break_verbs(fault);
    const auto slow = run(4, small, profile);
    expect_fault(slow, Status::fail, "ib_bandwidth_low", {{"host", "host1"}, {"nic", "rxe1"}});
    EXPECT_EQ(accused(slow), std::set<std::string>{"host1"}) << fault;
  }
}

}  // namespace
}  // namespace muster::tests
