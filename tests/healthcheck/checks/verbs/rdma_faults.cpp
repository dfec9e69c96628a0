// SPDX-License-Identifier: Apache-2.0
// What every check of RDMA must find, whatever it measures; linked with each of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/verbs/port_channel.hpp"
#include "healthcheck/program/error.hpp"
#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Labels;
using results::Status;

using Found = std::set<std::vector<std::string>>;

const Labels rxe0 = {{"nic", "rxe0"}, {"port", "1"}};
const Labels rxe1 = {{"host", "host1"}, {"nic", "rxe1"}};
const Given writes = {.options = {"--operation", "write"}};

// The only fact of this name.
std::string said(const results::CheckRun& run, const std::string& name) {
  const auto facts = of(run, run.check + name);
  return facts.size() == 1 ? results::to_text(facts[0]->value) : "nothing, or more than one";
}

std::string name_of(const testing::TestParamInfo<const char*>& fault) { return fault.param; }

using RdmaFaults = RdmaMachine;
using RdmaRefusedFaults = RdmaMachine;

// What is no fault, and so does not turn red with a judge that always passes.
class Rdma : public RdmaMachine {};

TEST_P(RdmaRefusedFaults, AreNamed) {
  break_verbs(GetParam());
  expect_fault(run(), Status::unknown, "rdma_refused", rxe0);
}

INSTANTIATE_TEST_SUITE_P(Of, RdmaRefusedFaults,
                         testing::Values("verbs_unknown", "verbs_forbidden", "verbs_down", "verbs_no_gid",
                                         "verbs_no_partition", "verbs_no_lock"),
                         name_of);

TEST_F(RdmaRefusedFaults, AGidThatThePortDoesNotHaveIsNamed) {
  const auto broken = run({"--gid-index", "7"});
  expect_fault(broken, Status::unknown, "rdma_refused", rxe0);
  EXPECT_EQ(said(broken, ".refused"), "port 1 of rxe0 has no GID at this index, but at 0");
}

TEST_F(RdmaFaults, AFlippedBitIsWrongData) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run();
  for (const auto* operation : {"write", "read", "send"}) {
    Labels labels = rxe0;
    labels.emplace("operation", operation);
    expect_fault(broken, Status::fail, "rdma_wrong_data", labels);
  }
}

TEST_F(RdmaFaults, APortThatIsLostMeanwhileIsNamed) {
  break_verbs("verbs_lost");
  expect_fault(run(), Status::fail, "ib_port_down", rxe0);
}

// An Ethernet adapter need not serve RDMA.
TEST_F(RdmaFaults, APortThatCarriesNothingToItselfIsNamed) {
  for (const auto& [layer, status] : {std::pair("Ethernet", Status::warn), {"InfiniBand", Status::fail}})
    for (const char* fault : {"verbs_retries", "verbs_hangs"}) {
      tree_.write("sys/class/infiniband/rxe0/ports/1/link_layer", std::string(layer) + "\n");
      break_verbs(fault);
      expect_fault(run(), status, "rdma_path_broken", rxe0);
    }
}

TEST_F(RdmaFaults, APortThatHangsIsGivenUpSoonAndKeepsNoCoreBusy) {
  break_verbs("verbs_hangs");
  const auto before = std::clock();
  const auto broken = run();
  const auto words = said(broken, ".loop_back_broken");
  EXPECT_TRUE(words.ends_with(fmt::format(" for {} s", benchmarks::verbs::completion_timeout.count()))) << words;
  EXPECT_LT(std::clock() - before, benchmarks::verbs::completion_timeout.count() * CLOCKS_PER_SEC / 2);
}

TEST_F(RdmaFaults, APathWhoseAnswersTakeLongerThanItsTimeoutIsBroken) {
  break_verbs("verbs_delayed");
  expect_fault(run(), Status::warn, "rdma_path_broken", rxe0);
  expect_healthy(run({"--qp-timeout", "18"}));
}

TEST_F(Rdma, SaysWhichGidItUsesAndWhichCounterSeesWhatItSends) {
  const auto healthy = run({"--gid-index", "0"});
  EXPECT_EQ(said(healthy, ".gid").substr(0, 18), "index 0, RoCE v2, ");
  EXPECT_EQ(said(healthy, ".counter"), "tx_bytes of eth0");
  std::filesystem::remove(tree_.path() / "sys/class/net/eth0/statistics/tx_bytes");
  EXPECT_EQ(said(run(), ".counter"), "none");
}

TEST_F(Rdma, AnAdapterThatNobodyHasIsRefused) { EXPECT_THROW(run({"--nic", "rxe1"}), healthcheck::UsageError); }

TEST_F(RdmaFaults, APortThatWasAskedForAndIsNotActiveIsNamed) {
  tree_.write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
  expect_fault(run({"--nic", "rxe0"}), Status::fail, "ib_port_down", rxe0);
}

TEST_F(RdmaFaults, APortForWhichThereIsNoTimeIsUnknown) {
  const auto late =
      checked(tree_.path(), "generic", {.options = {"-n", "6"}, .deadline = std::chrono::steady_clock::now()});
  expect_fault(late, Status::unknown, "could_not_measure", {});
  EXPECT_EQ(said(late, ".left_out"), "3 of 3 rounds: there was no time");
}

TEST_F(Rdma, AMachineWithoutADeviceHasNothingToMeasure) {
  std::filesystem::remove_all(tree_.path() / "sys/class/infiniband");
  EXPECT_EQ(run().reason, "no RDMA device");
}

TEST_F(Rdma, AMachineWithoutAnActivePortHasNothingToMeasure) {
  tree_.write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
  EXPECT_EQ(run().reason, "no port is active");
}

using RdmaBetweenFaults = RdmaMachines;
using RdmaTwoHostsFaults = RdmaMachines;

class RdmaBetween : public RdmaMachines {};

TEST_F(RdmaBetween, EveryDirectionIsMeasuredAndVerified) {
  const auto healthy = run(2);
  expect_healthy(healthy);
  Found wanted;
  for (const auto* operation : {"write", "read", "send"})
    wanted.insert({{"host0", "rxe0", "rxe1", operation}, {"host1", "rxe1", "rxe0", operation}});
  EXPECT_EQ(measured(healthy, {"host", "nic", "partner_nic", "operation"}), wanted);
}

TEST_F(RdmaBetween, WhatAnOperationToldIsOnDiskWhenTheNextBegins) {
  std::map<std::string, Found> on_disk;  // when an operation begins: host and operation of what came whole
  const auto look = [&](const results::CheckRun& now) {
    const auto [phase, begins] = on_disk.try_emplace(now.phase.substr(0, now.phase.find(" on rail ")));
    for (const auto* fact : of(now, now.check + ".wrong_bytes"))
      if (begins) phase->second.insert({fact->labels.at("host"), fact->labels.at("operation")});
  };
  expect_healthy(run(2, {.options = {"--operation", "write,read"}, .seen = look}));
  EXPECT_EQ(on_disk["write with host1"], Found());
  EXPECT_EQ(on_disk["read with host1"], (Found{{"host0", "write"}, {"host1", "write"}}));
}

TEST_F(RdmaBetween, HostsWithoutAnActivePortHaveNothingToMeasure) {
  trees_[0].write("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband/rxe1");
  EXPECT_EQ(run(2).reason, "no RDMA port is active on any host");
}

TEST_F(RdmaBetweenFaults, AFlippedBitIsOfWhoSentIt) {
  break_verbs("verbs_flipped_bit");
  const auto broken = run(2, writes);
  expect_fault(broken, Status::fail, "rdma_wrong_data", {{"host", "host1"}, {"nic", "rxe1"}, {"partner", "host0"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

TEST_F(RdmaBetweenFaults, WhatDidNotLeaveItsPortIsUnknown) {
  count_no_more();
  expect_fault(run(2, writes), Status::unknown, "rdma_path_unseen", {{"host", "host1"}, {"partner", "host0"}});
  std::filesystem::remove(trees_[0].path() / "sys/class/net/eth0/statistics/tx_bytes");
  expect_fault(run(2, writes), Status::unknown, "rdma_path_unseen", {{"host", "host0"}, {"partner", "host1"}});
}

TEST_F(RdmaBetweenFaults, APortThatIsDownIsNamed) {
  trees_[1].write("sys/class/infiniband/rxe1/ports/1/state", "1: DOWN\n");
  const auto broken = run(2);
  expect_fault(broken, Status::fail, "ib_port_down", rxe1);
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
}

TEST_F(RdmaBetweenFaults, APortThatOnlyOthersHaveIsNamed) {
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband/rxe1");
  expect_fault(run(2), Status::fail, "ib_port_down", {{"host", "host1"}, {"rail", "0"}});
}

TEST_F(RdmaBetweenFaults, RoundsThatThereIsNoTimeForAreUnknown) {
  expect_fault(run(2, {.deadline = std::chrono::steady_clock::now()}), Status::unknown, "could_not_measure", {});
}

TEST_F(RdmaBetweenFaults, APortThatIsRefusedIsNamed) {
  for (const char* fault : {"verbs_forbidden", "verbs_no_lock"}) {
    break_verbs(fault);
    const auto broken = run(2);
    expect_fault(broken, Status::unknown, "rdma_refused", rxe1);
    EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
  }
}

TEST_F(RdmaTwoHostsFaults, PortsWithoutACommonPartitionAreNamedAtOnce) {
  break_verbs("verbs_other_partition");
  const auto begin = std::chrono::steady_clock::now();
  const auto broken = run(2, writes);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, benchmarks::verbs::max_ending_time / 2);
  expect_fault(broken, Status::fail, "rdma_path_broken", {{"host", "host0 host1"}});
  EXPECT_EQ(said(broken, ".broken"),
            "no common partition: one port is a full member by P_Key 0xffff, the other by 0x8001");
}

TEST_F(RdmaTwoHostsFaults, PortsThatTakePacketsOfAnotherSizeAreNamedAndMeasured) {
  break_verbs("verbs_large_packets");
  const auto unequal = run(2, writes);
  expect_fault(unequal, Status::warn, "ib_mtu_differs", {{"host", "host0 host1"}});
  EXPECT_EQ(said(unequal, ".mtu_differs"), "1024 bytes at host0 rxe0, 4096 at host1 rxe1");
  EXPECT_EQ(measured(unequal, {"host"}).size(), 2U);
  const auto of_three = run(3, writes);
  expect_fault(of_three, Status::warn, "ib_mtu_differs", rxe1);
  EXPECT_EQ(accused(of_three), std::set<std::string>{"host1"});
  EXPECT_EQ(said(of_three, ".mtu_differs"), "1024 bytes at host0 rxe0, 4096 at host1 rxe1");
}

TEST_F(RdmaBetween, APartitionThatIsAtAnotherPlaceOfTheTableIsCommon) {
  break_verbs("verbs_second_partition");
  expect_healthy(run(2, writes));
}

TEST_F(RdmaTwoHostsFaults, NobodyWaitsForWhatBroke) {
  break_verbs("verbs_retries");
  const auto begin = std::chrono::steady_clock::now();
  expect_fault(run(2, writes), Status::fail, "rdma_path_broken", {{"host", "host0 host1"}});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, benchmarks::verbs::max_ending_time / 2);
}

TEST_P(RdmaTwoHostsFaults, AreOfBoth) {
  break_verbs(GetParam());
  const auto broken = run(2, writes);
  expect_fault(broken, Status::fail, "rdma_path_broken", {{"host", "host0 host1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host0 host1"});
}

INSTANTIATE_TEST_SUITE_P(Of, RdmaTwoHostsFaults, testing::Values("verbs_unreachable", "verbs_retries", "verbs_hangs"),
                         name_of);

}  // namespace
}  // namespace muster::tests
