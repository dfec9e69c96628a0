// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

const results::Labels rxe0 = {{"nic", "rxe0"}, {"port", "1"}};

double seconds(const results::Measurement& fact) { return std::get<results::Quantity>(fact.value).value; }

using IbLatencyFaults = RdmaMachine;

// What is no fault, and so does not turn red with a judge that always passes.
class IbLatency : public RdmaMachine {};

using IbLatencyRefusedFaults = RdmaMachine;

TEST_P(IbLatencyRefusedFaults, AreNamed) {
  break_verbs(GetParam());
  expect_fault(run(), Status::warn, "rdma_refused", rxe0);
}

INSTANTIATE_TEST_SUITE_P(Of, IbLatencyRefusedFaults,
                         testing::Values("verbs_forbidden", "verbs_no_lock", "verbs_retries", "verbs_hangs"),
                         [](const auto& each) { return std::string(each.param); });

TEST_F(IbLatencyFaults, AFlippedBitIsWrongData) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run();
  for (const auto* operation : {"write", "read", "send"}) {
    results::Labels labels = rxe0;
    labels.emplace("operation", operation);
    expect_fault(broken, Status::fail, "rdma_wrong_data", labels);
  }
}

TEST_F(IbLatencyFaults, APortThatIsLostMeanwhileIsNamed) {
  break_verbs("verbs_lost");
  expect_fault(run(), Status::fail, "ib_port_down", rxe0);
}

TEST_F(IbLatency, EveryOperationHasItsWholeDistribution) {
  const auto healthy = run();
  expect_healthy(healthy);
  const auto latencies = of(healthy, "ib_latency.latency");
  const auto tails = of(healthy, "ib_latency.p99_9");
  ASSERT_EQ(latencies.size(), 3U);
  ASSERT_EQ(tails.size(), 3U);
  for (std::size_t at = 0; at < latencies.size(); ++at) {
    const auto& summary = latencies[at]->summary;
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->n, 10'000U);
    EXPECT_EQ(latencies[at]->labels.at("size"), "8 B");
    EXPECT_LE(summary->p99, seconds(*tails[at]));
    EXPECT_LE(seconds(*tails[at]), summary->maximum);
  }
}

TEST_F(IbLatency, MessagesOfOtherSizesAreVerifiedToo) {
  const auto healthy = checked(tree_.path(), "generic", {.options = {"-s", "4K", "-n", "20"}});
  expect_healthy(healthy);
  EXPECT_EQ(of(healthy, "ib_latency.latency").front()->summary->n, 20U);
}

TEST_F(IbLatency, EndsInTimeWithWhatItHas) {
  const Given soon = {.options = {"-n", "1000000000"},
                      .deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300)};
  const auto hurried = checked(tree_.path(), "generic", soon);
  const auto latencies = of(hurried, "ib_latency.latency");
  EXPECT_EQ(latencies.size(), 3U);
  for (const auto* fact : latencies) EXPECT_EQ(fact->stopping->decision, "budget");
}

class IbLatencyBetween : public RdmaMachines {};

TEST_F(IbLatencyBetween, EveryDirectionIsMeasuredAndVerified) {
  const auto healthy = run(2);
  expect_healthy(healthy);
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto* fact : of(healthy, "ib_latency.latency"))
    seen.emplace(fact->labels.at("host"), fact->labels.at("operation"));
  EXPECT_EQ(seen.size(), 6U);
}

using IbLatencyBetweenFaults = RdmaMachines;

TEST_F(IbLatencyBetweenFaults, AFlippedBitIsOfWhoSentIt) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run(2, {.options = {"--operation", "write"}});
  expect_fault(broken, Status::fail, "rdma_wrong_data", {{"host", "host1"}, {"nic", "rxe1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

TEST_F(IbLatencyBetweenFaults, RoundsThatThereIsNoTimeForAreUnknown) {
  expect_fault(run(2, {.deadline = std::chrono::steady_clock::now()}), Status::unknown, "could_not_measure", {});
}

TEST_F(IbLatencyBetweenFaults, ABrokenPairIsOfBoth) {
  break_verbs("verbs_retries");
  expect_fault(run(2, {.options = {"--operation", "write"}}), Status::fail, "rdma_path_broken",
               {{"host", "host0 host1"}});
}

class IbLatencyBetweenRateFaults : public RdmaMachines {};

TEST_F(IbLatencyBetweenRateFaults, OfThreeHostsTheSlowOneIsNamed) {
  const TemporaryFolder folder;
  folder.write("limited.json", R"({
  "name": "limited", "extends": "generic", "description": "Messages in memory",
  "expectations": [
    { "check": "ib_latency", "metric": "ib_latency.latency", "labels": { "operation": "write" },
      "bound": "at_most", "unit": "s", "pass": 300e-6, "fail": 400e-6, "tier": "quick", "fault": "ib_latency_high",
      "source": "A post of the slow device takes 1 ms", "date": "2026-11-22" }
  ]
})");
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
