// SPDX-License-Identifier: Apache-2.0
// What every check of RDMA must find where two hosts have several adapters; linked with each of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/rdma.hpp"

namespace muster::tests {
namespace {

using results::Status;

using Found = std::set<std::vector<std::string>>;

using RdmaRailsFaults = RdmaRails;

TEST_F(RdmaRails, EachIsMeasuredWithItsLike) {
  const auto healthy = run();
  expect_healthy(healthy);
  EXPECT_EQ(measured(healthy, {"host", "nic", "rail"}),
            (Found{{"host0", "rxe0", "0"}, {"host0", "rxe2", "1"}, {"host1", "rxe0", "0"}, {"host1", "rxe2", "1"}}));
}

// As that of Azure's accelerated networking.
TEST_F(RdmaRails, AnEthernetPortBesideInfiniBandIsLeftAside) {
  for (const auto& tree : trees_) tree.write("sys/class/infiniband/rxe2/ports/1/link_layer", "InfiniBand\n");
  const auto healthy = run();
  expect_healthy(healthy);
  EXPECT_EQ(measured(healthy, {"host", "nic"}), (Found{{"host0", "rxe2"}, {"host1", "rxe2"}}));
  EXPECT_EQ(of(healthy, healthy.check + ".unused").size(), 2U);
  const auto asked_for = run("generic", {"--nic", "rxe0"});
  EXPECT_EQ(measured(asked_for, {"host", "nic"}), (Found{{"host0", "rxe0"}, {"host1", "rxe0"}}));
}

// A host that lost its InfiniBand adapter still has Ethernet; one whose port became Ethernet has it instead.
TEST_F(RdmaRailsFaults, AHostWithoutItsInfiniBandIsNamedAndNobodyElse) {
  for (const auto& tree : trees_) tree.write("sys/class/infiniband/rxe2/ports/1/link_layer", "InfiniBand\n");
  const auto expect_named = [&] {
    const auto broken = run();
    expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"nic", "rxe2"}, {"rail", "1"}});
    EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
    EXPECT_EQ(accused(broken, "nic"), std::set<std::string>{"rxe2"});
  };
  trees_[1].write("sys/class/infiniband/rxe2/ports/1/link_layer", "Ethernet\n");
  expect_named();
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband/rxe2");
  expect_named();
}

TEST_F(RdmaRails, InfiniBandThatIsDownEverywhereLeavesNoEthernetAside) {
  for (const auto& tree : trees_) {
    tree.write("sys/class/infiniband/rxe2/ports/1/link_layer", "InfiniBand\n");
    tree.write("sys/class/infiniband/rxe2/ports/1/state", "1: DOWN\n");
  }
  EXPECT_EQ(measured(run(), {"host", "nic"}), (Found{{"host0", "rxe0"}, {"host1", "rxe0"}}));
}

TEST_F(RdmaRailsFaults, AnAdapterThatWasAskedForAndIsDownEverywhereIsNamed) {
  for (const auto& tree : trees_) tree.write("sys/class/infiniband/rxe2/ports/1/state", "1: DOWN\n");
  for (const auto* nics : {"rxe0,rxe2", "rxe2"}) {
    const auto broken = run("generic", {"--nic", nics});
    for (const auto* host : {"host0", "host1"})
      expect_fault(broken, Status::fail, "ib_port_down", {{"host", host}, {"nic", "rxe2"}});
    EXPECT_EQ(accused(broken, "nic"), std::set<std::string>{"rxe2"});
  }
}

TEST_F(RdmaRailsFaults, AnAdapterThatIsMissingIsNamedAndShiftsNoOther) {
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband/rxe0");
  const auto broken = run();
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"nic", "rxe0"}, {"rail", "0"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
  EXPECT_EQ(accused(broken, "nic"), std::set<std::string>{"rxe0"});
  EXPECT_EQ(measured(broken, {"host", "nic", "rail"}), (Found{{"host0", "rxe2", "1"}, {"host1", "rxe2", "1"}}));
}

TEST_F(RdmaRailsFaults, AnAdapterThatWasAskedForAndThatOneHostLacksIsNamed) {
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband/rxe0");
  const auto broken = run("generic", {"--nic", "rxe0"});
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"nic", "rxe0"}, {"rail", "0"}});
}

TEST_F(RdmaRails, AreNamedByTheirGuids) {
  trees_[0].write("sys/class/infiniband/rxe0/node_guid", "0000:0000:0000:0001\n");
  trees_[1].write("sys/class/infiniband/rxe0/node_guid", "0000:0000:0000:0002\n");
  EXPECT_EQ(measured(run("generic", {"--nic", "rxe0"}), {"host", "guid", "partner_guid"}),
            (Found{{"host0", "0000:0000:0000:0001", "0000:0000:0000:0002"},
                   {"host1", "0000:0000:0000:0002", "0000:0000:0000:0001"}}));
}

TEST_F(RdmaRailsFaults, AdaptersThatOneOrTheOtherLacksShiftNoOther) {
  write_machine(trees_[0], "rxe1");
  write_machine(trees_[1], "rxe3");
  const auto broken = run();
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host0"}, {"nic", "rxe3"}, {"rail", "3"}});
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"nic", "rxe1"}, {"rail", "1"}});
  EXPECT_EQ(measured(broken, {"host", "nic", "rail"}),
            (Found{{"host0", "rxe0", "0"}, {"host0", "rxe2", "2"}, {"host1", "rxe0", "0"}, {"host1", "rxe2", "2"}}));
}

TEST_F(RdmaRailsFaults, OfOtherNamesAPortThatOnlyOthersHaveIsNamedByItsRail) {
  std::filesystem::remove_all(trees_[1].path() / "sys/class/infiniband");
  write_machine(trees_[1], "rxe1");
  const auto broken = run();
  expect_fault(broken, Status::fail, "ib_port_down", {{"host", "host1"}, {"rail", "1"}});
  EXPECT_EQ(accused(broken), std::set<std::string>{"host1"});
  EXPECT_EQ(accused(broken, "rail"), std::set<std::string>{"1"});
  EXPECT_EQ(measured(broken, {"host", "nic", "rail"}), (Found{{"host0", "rxe0", "0"}, {"host1", "rxe1", "0"}}));
}

}  // namespace
}  // namespace muster::tests
