// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "healthcheck/program/error.hpp"
#include "tests/healthcheck/checks/host/ib_link_machine.hpp"

namespace muster::tests {
namespace {

namespace fs = std::filesystem;
using results::Status;

using IbLinkFaults = IbLinkMachine;

// What is no fault, and so does not turn red with a judge that always passes.
class IbLinkOtherwise : public IbLinkFaults {};

struct Text {
  std::string name;
  fs::path file;  // below the port
  std::string text;
  Status status;
  std::string fault;
};

void PrintTo(const Text& each, std::ostream* out) { *out << each.name; }

class IbLinkTextFaults : public IbLinkFaults, public testing::WithParamInterface<Text> {};

TEST_P(IbLinkTextFaults, AreNamed) {
  replace(port_of_ib3 / GetParam().file, GetParam().text);
  expect_ib3_alone(run(), GetParam().status, GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    OfPorts, IbLinkTextFaults,
    testing::Values(Text{"Down", "state", "1: DOWN", Status::fail, "ib_port_down"},
                    Text{"Polling", "phys_state", "2: Polling", Status::fail, "ib_port_down"},
                    Text{"NeverArmed", "state", "2: INIT", Status::fail, "ib_port_down"},
                    Text{"HalfTheRate", "rate", "200 Gb/sec (4X HDR)", Status::fail, "ib_port_rate_low"},
                    Text{"HalfTheLanes", "rate", "200 Gb/sec (2X NDR)", Status::fail, "ib_port_width_low"},
                    Text{"NoLid", "lid", "0x0", Status::fail, "ib_port_unconfigured"},
                    Text{"NoSubnetManager", "sm_lid", "0x0", Status::fail, "ib_port_unconfigured"},
                    Text{"NoGid", "gids/0", "0000:0000:0000:0000:0000:0000:0000:0000", Status::fail,
                         "ib_port_unconfigured"},
                    Text{"PartitionKeyLost", "pkeys/0", "0x0000", Status::fail, "ib_partition_missing"},
                    Text{"LimitedMember", "pkeys/0", "0x0001", Status::fail, "ib_partition_missing"},
                    Text{"OtherPartition", "pkeys/0", "0x8002", Status::warn, "ib_partition_differs"},
                    Text{"OtherFirmware", "../../fw_ver", "28.38.1002", Status::warn, "firmware_differs"},
                    Text{"OtherBoard", "../../board_id", "MT_0000000223", Status::warn, "nic_differs"}),
    [](const auto& each) { return each.param.name; });

struct Count {
  std::string counter;
  int value;  // an hour after 0
  Status status;
  std::string fault;
};

void PrintTo(const Count& each, std::ostream* out) { *out << each.counter << " +" << each.value; }

class IbLinkCounterFaults : public IbLinkFaults, public testing::WithParamInterface<Count> {};

TEST_P(IbLinkCounterFaults, AreNamed) {
  count(GetParam().counter, GetParam().value);
  expect_ib3_alone(run(), GetParam().status, GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    OfPorts, IbLinkCounterFaults,
    testing::Values(Count{"counters/link_downed", 1, Status::fail, "ib_link_flapping"},
                    Count{"counters/symbol_error", 170, Status::fail, "ib_symbol_errors"},
                    Count{"counters/local_link_integrity_errors", 1, Status::fail, "ib_link_errors"},
                    Count{"counters/excessive_buffer_overrun_errors", 1, Status::fail, "ib_link_errors"},
                    Count{"counters/port_rcv_errors", 40'000, Status::warn, "ib_link_errors"},
                    Count{"counters/link_downed", 255, Status::fail, "ib_link_flapping"},
                    Count{"counters/symbol_error", 65'535, Status::fail, "ib_symbol_errors"},
                    Count{"hw_counters/roce_slow_restart", 40'000, Status::warn, "ib_packets_lost"},
                    Count{"hw_counters/local_ack_timeout_err", 4'000, Status::warn, "ib_packets_lost"},
                    Count{"hw_counters/rnr_nak_retry_err", 1, Status::warn, "ib_receiver_not_ready"}));

TEST_F(IbLinkOtherwise, CountersHaveTheirGrowthAndItsTimeInTheReport) {
  count("counters/symbol_error", 7);
  const auto looked = run();
  std::map<std::string, results::Value> of_ib3;
  for (const auto& fact : looked.measurements)
    if (!fact.labels.contains("nic") || fact.labels.at("nic") == ib3.at("nic")) of_ib3[fact.metric] = fact.value;
  EXPECT_EQ(std::get<results::Quantity>(of_ib3.at("ib_link.symbol_error")).value, 7);
  EXPECT_LT(std::get<results::Quantity>(of_ib3.at("ib_link.symbol_error_rate")).value, 7.0 / 3600);
  EXPECT_EQ(std::get<results::Quantity>(of_ib3.at("ib_link.window")).value, 3600);
}

TEST_F(IbLinkFaults, CounterThatWasReset) {
  count("counters/link_downed", 3);
  run();
  count("counters/link_downed", 0);
  tree_.write("proc/uptime", "4700.00 9000.00\n");
  expect_fault(run(), Status::unknown, "counter_unusable", ib3);
}

TEST_F(IbLinkFaults, RecoveriesAndDiscardsOfTenMinutes) {
  tree_.write("proc/uptime", "1600.00 9000.00\n");
  count("counters/link_error_recovery", 90);
  count("counters/port_xmit_discards", 65'000);
  const auto broken = run();
  expect_fault(broken, Status::warn, "ib_link_errors", ib3);
  expect_fault(broken, Status::warn, "ib_packets_lost", ib3);
}

TEST_F(IbLinkFaults, InterfaceThatLosesItsCarrier) {
  replace("sys/class/net/ib3/carrier_changes", "20");
  expect_fault(run(), Status::warn, "ib_link_flapping", {{"nic", "mlx5_ib3"}, {"interface", "ib3"}});
}

TEST_F(IbLinkFaults, InterfaceOfAnotherMtu) {
  replace("sys/class/net/ib3/mtu", "1500");
  expect_fault(run(), Status::warn, "ib_mtu_differs", {{"nic", "mlx5_ib3"}, {"interface", "ib3"}});
}

TEST_F(IbLinkFaults, HcaMissing) {
  ASSERT_GT(fs::remove_all(tree_.path() / "sys/class/infiniband/mlx5_ib3"), 0U);
  expect_fault(run("generic"), Status::warn, "nic_unserved", {{"pci", "0104:00:00.0"}});
  const auto missing = run();
  expect_fault(missing, Status::fail, "nic_missing", {});
  expect_fault(missing, Status::fail, "nic_unserved", {{"pci", "0104:00:00.0"}});
}

TEST_F(IbLinkFaults, NoHcaAtAll) {
  ASSERT_GT(fs::remove_all(tree_.path() / "sys/class/infiniband"), 0U);
  expect_fault(run(), Status::fail, "nic_missing", {});
}

TEST_F(IbLinkFaults, EthernetInsteadOfInfiniBand) {
  replace(port_of_ib3 / "link_layer", "Ethernet");
  for (const auto* profile : {"generic", "nd96isr_h100_v5"})
    expect_fault(run(profile), Status::fail, "ib_link_layer_wrong", ib3);
}

TEST_F(IbLinkFaults, EveryFailingPortIsNamedAndNoOtherEvenIfMostFail) {
  const std::set<std::string> most = {"mlx5_ib1", "mlx5_ib2", "mlx5_ib4", "mlx5_ib5", "mlx5_ib6"};
  for (const auto& nic : most) {
    const auto port = fs::path("sys/class/infiniband") / nic / "ports/1";
    replace(port / "state", "1: DOWN");
    replace(port / "phys_state", "3: Disabled");
    replace(port / "rate", "10 Gb/sec (4X SDR)");
  }
  count("counters/link_downed", 2);
  const auto broken = run();
  expect_fault(broken, Status::fail, "ib_link_flapping", ib3);
  std::set<std::string> down;
  for (const auto& verdict : broken.verdicts)
    if (verdict.status > Status::pass && verdict.fault != "ib_link_flapping") down.insert(verdict.labels.at("nic"));
  EXPECT_EQ(down, most);
}

TEST_F(IbLinkFaults, LinkThatGoesDownInTheWindow) {
  fs::remove(state_.path() / "ib_link.json");
  const std::jthread hurt([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    count("counters/link_downed", 1);
  });
  expect_fault(run(), Status::fail, "ib_link_flapping", ib3);
}

TEST_F(IbLinkOtherwise, FirmwareIsComparedAmongAdaptersOfOneBoard) {
  for (const auto* nic : {"mlx5_ib6", "mlx5_ib7"}) {
    const auto adapter = fs::path("sys/class/infiniband") / nic;
    replace(adapter / "board_id", "MT_0000000223");
    replace(adapter / "fw_ver", "28.38.1002");
  }
  for (const auto& verdict : run("generic").verdicts) EXPECT_NE(verdict.fault, "firmware_differs");
}

TEST_F(IbLinkOtherwise, AFewSymbolErrorsOfAnHourAreNormal) {
  count("counters/symbol_error", 100);
  expect_healthy(run());
}

TEST_F(IbLinkOtherwise, ASymbolErrorInTheWindowAccusesNobody) {
  fs::remove(state_.path() / "ib_link.json");
  const std::jthread hurt([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    count("counters/symbol_error", 1);
  });
  expect_healthy(run());
}

TEST_F(IbLinkOtherwise, CountersOfAnotherBootAreNotCompared) {
  count("counters/link_downed", 7);
  replace("proc/sys/kernel/random/boot_id", "3b1f0a55-0000-4b0e-9a61-0d2f6b7c4e58");
  const auto looked = run();
  EXPECT_EQ(looked.status, Status::warn) << "for what this port alone has counted since boot";
  expect_fault(looked, Status::warn, "ib_link_flapping", ib3);
}

TEST_F(IbLinkOtherwise, EachRunLooksSinceTheLast) {
  count("counters/link_downed", 1);
  expect_fault(run(), Status::fail, "ib_link_flapping", ib3);
  tree_.write("proc/uptime", "4700.00 9000.00\n");
  expect_healthy(run());
}

TEST_F(IbLinkOtherwise, DeviceNamesAreNotAssumed) {
  const auto folder = tree_.path() / "sys/class/infiniband";
  fs::rename(folder / "mlx5_ib3", folder / "rocep9s0");
  replace("sys/class/infiniband/rocep9s0/ports/1/state", "1: DOWN");
  expect_fault(run(), Status::fail, "ib_port_down", {{"nic", "rocep9s0"}});
}

TEST(IbLinkHealthyNdv5, WithItsProfile) {
  expect_healthy(checked(source_folder() / "tests/machines/ndv5", h100_profile, preflight));
}

TEST(IbLinkHealthyNdv5, WithTheGenericProfile) {
  expect_healthy(checked(source_folder() / "tests/machines/ndv5", "generic", preflight));
}

TEST(IbLinkWithoutHca, HasNothingToMeasure) {
  const auto run = checked(source_folder() / "tests/machines/no_numa", "generic", preflight);
  EXPECT_EQ(run.status, Status::skip);
  EXPECT_EQ(run.reason, "no RDMA device");
}

}  // namespace
}  // namespace muster::tests
