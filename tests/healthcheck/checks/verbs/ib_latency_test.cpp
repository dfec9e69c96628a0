// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

double seconds(const results::Measurement& fact) { return std::get<results::Quantity>(fact.value).value; }

using IbLatencyFaults = RdmaMachine;
using IbLatencyRate = RdmaMachine;

class IbLatency : public RdmaMachine {};

TEST_F(IbLatency, EveryOperationHasItsWholeDistribution) {
  const auto healthy = run({"-n", "1000"});
  expect_healthy(healthy);
  const auto latencies = of(healthy, "ib_latency.latency");
  const auto tails = of(healthy, "ib_latency.p99_9");
  ASSERT_EQ(latencies.size(), 3U);
  ASSERT_EQ(tails.size(), 3U);
  for (std::size_t at = 0; at < latencies.size(); ++at) {
    const auto& summary = latencies[at]->summary;
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->n, 1000U);
    EXPECT_EQ(latencies[at]->labels.at("size"), "8 B");
    EXPECT_FALSE(latencies[at]->labels.contains("depth")) << "one message at a time is what a latency is";
    EXPECT_LE(summary->p99, seconds(*tails[at]));
    EXPECT_LE(seconds(*tails[at]), summary->maximum);
  }
}

TEST_F(IbLatencyRate, IsOfTenThousandMessagesWhereTimeAllows) {
  const Given a_minute = {.tier = results::Tier::full, .options = {"--operation", "write"}};
  const auto healthy = checked(tree_.path(), "generic", a_minute);
  EXPECT_EQ(of(healthy, "ib_latency.latency").front()->summary->n, 10'000U);
}

TEST_F(IbLatency, MessagesOfOtherSizesAreVerifiedToo) {
  const auto healthy = run({"-s", "4K", "-n", "20"});
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_latency.latency").front()->summary->n, 20U);
}

TEST_F(IbLatency, EndsInTimeWithWhatItHas) {
  const Given soon = {.options = {"-n", "1000000000"},
                      .deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2)};
  const auto hurried = checked(tree_.path(), "generic", soon);
  const auto latencies = of(hurried, "ib_latency.latency");
  EXPECT_EQ(latencies.size(), 3U);
  for (const auto* fact : latencies) EXPECT_EQ(fact->stopping->decision, results::StoppingDecision::budget);
}

TEST_F(IbLatency, LeavesTimeForAnEndThatHangs) {
  const auto begin = std::chrono::steady_clock::now();
  const std::chrono::milliseconds given(4000);
  expect_healthy(checked(tree_.path(), "generic",
                         {.options = {"-n", "1000000000", "--operation", "write"}, .deadline = begin + given}));
  const auto taken = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(taken, given / 2 - given / 20) << "half of a short time is for samples";
  EXPECT_LT(taken, given * 3 / 4);
}

TEST_F(IbLatencyFaults, AFlippedBitBesideTheNumberIsWrongData) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run({"-s", "4K"});
  for (const auto* operation : {"write", "read", "send"})
    expect_fault(broken, Status::fail, "rdma_wrong_data", {{"nic", "rxe0"}, {"operation", operation}});
}

TEST_F(IbLatencyFaults, AFlippedBitInAnswersAloneIsWrongData) {
  break_verbs("verbs_flipped_answer");
  const auto broken = run({"--operation", "write"});
  expect_fault(broken, Status::fail, "rdma_wrong_data", {{"nic", "rxe0"}, {"operation", "write"}});
}

constexpr const char* limited = R"({
  "name": "limited", "extends": "generic", "description": "Messages in memory",
  "expectations": [
    { "check": "ib_latency", "metric": "ib_latency.latency", "labels": { "operation": "write" },
      "bound": "at_most", "unit": "s", "pass": 300e-6, "fail": 400e-6, "tier": "quick", "fault": "ib_latency_high",
      "source": "A post of the slow device takes 1 ms", "date": "2026-11-22" }
  ]
})";

TEST_F(IbLatencyRate, ADisturbanceAccusesNobody) {
  const TemporaryFolder folder;
  folder.write("limited.json", limited);
  break_verbs("verbs_disturbed");  // for longer than the first operation has
  const auto disturbed = checked(tree_.path(), (folder.path() / "limited.json").string(), {});
  expect_healthy(disturbed);
  const auto& writes = *of(disturbed, "ib_latency.latency").front();
  EXPECT_EQ(writes.labels.at("operation"), "write");
  EXPECT_GT(writes.summary->maximum, 400e-6) << "it was not disturbed";
}

class IbLatencyBetweenRateFaults : public RdmaMachines {};

TEST_F(IbLatencyBetweenRateFaults, OfThreeHostsTheSlowOneIsNamed) {
  const TemporaryFolder folder;
  folder.write("limited.json", limited);
  const auto profile = (folder.path() / "limited.json").string();
  const Given writes = {.options = {"--operation", "write"}};
  expect_healthy(run(3, writes, profile));
  break_verbs("verbs_slow");
  const auto slow = run(3, writes, profile);
  expect_fault(slow, Status::fail, "ib_latency_high", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(slow), std::set<std::string>{"host1"});
}

}  // namespace
}  // namespace muster::tests
