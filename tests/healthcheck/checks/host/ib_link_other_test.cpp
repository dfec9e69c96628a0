// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "tests/healthcheck/checks/host/ib_link_machine.hpp"

namespace muster::tests {
namespace {

namespace fs = std::filesystem;
using results::Status;

const fs::path adapters = "sys/class/infiniband";
const results::Labels third = {{"nic", "mlx5_ib3"}};

// A node of eight adapters.
class Ports : public IbLinkMachine {
 protected:
  static fs::path port(int number) { return adapters / ("mlx5_ib" + std::to_string(number)) / "ports/1"; }
  void take_down(int number) {
    replace(port(number) / "state", "1: DOWN");
    replace(port(number) / "phys_state", "3: Disabled");
    replace(port(number) / "rate", "40 Gb/sec (4X QDR)");
  }
};

// They are on Ethernet (RoCE).
class RoceFaults : public Ports {
 protected:
  RoceFaults() {
    for (int i = 0; i < 8; ++i) replace(port(i) / "link_layer", "Ethernet");
  }
};

using RoceOtherwise = RoceFaults;

TEST_F(RoceFaults, OnePortOfEightThatIsDownIsNamed) {
  take_down(3);
  expect_fault(run("generic"), Status::warn, "ib_port_down", third);
}

TEST_F(RoceFaults, OnePortOfEightAtHalfTheRateIsNamed) {
  replace(port(3) / "rate", "200 Gb/sec (4X HDR)");
  expect_fault(run("generic"), Status::warn, "ib_port_rate_low", third);
}

TEST_F(RoceOtherwise, AllThatAreActiveAreGreen) { expect_healthy(run("generic")); }

TEST_F(RoceOtherwise, WhereMostAreNotInUseNobodyIsAccused) {
  for (const int number : {0, 2, 4, 6, 7}) take_down(number);
  expect_healthy(run("generic"));
}

TEST_F(RoceOtherwise, PortsOfAnotherBoardAreNoSiblings) {
  for (const int number : {6, 7}) {
    replace(port(number) / "../../board_id", "MT_0000000359");
    take_down(number);
  }
  for (const auto& verdict : run("generic").verdicts) EXPECT_NE(verdict.fault, "ib_port_down") << verdict.reason;
}

TEST_F(RoceOtherwise, OfTwoOfABoardNeitherIsAccused) {
  for (const int number : {6, 7}) replace(port(number) / "../../board_id", "MT_0000000359");
  take_down(7);
  for (const auto& verdict : run("generic").verdicts) EXPECT_NE(verdict.fault, "ib_port_down") << verdict.reason;
}

// A node with four more RDMA devices, functions of one PCI device, that manage NVSwitches.
class SwitchManagers : public Ports {
 protected:
  SwitchManagers() {
    for (int i = 0; i < 4; ++i) {
      const auto device = "sys/devices/pci0000:00/0000:c5:00." + std::to_string(i);
      const auto adapter = adapters / ("mlx5_" + std::to_string(8 + i));
      tree_.write(device + "/vpd", std::string("\x82\x0a\0NVSwitch B\x90\x10\0V1\x0bSMDL=SW_MNG\x78\0", 32));
      tree_.write(device + "/vendor", "0x15b3\n");
      fs::create_directories(tree_.path() / adapter);
      fs::create_directory_symlink(fs::path("../../../devices/pci0000:00/0000:c5:00." + std::to_string(i)),
                                   tree_.path() / adapter / "device");
      tree_.write(adapter / "board_id", "NVD0000000061\n");
      tree_.write(adapter / "fw_ver", "35.2014.1500\n");
      tree_.write(adapter / "node_guid", "0000:0000:0000:000" + std::to_string(i) + "\n");
      const auto port = adapter / "ports/1";
      tree_.write(port / "link_layer", "InfiniBand\n");
      tree_.write(port / "state", i == 0 ? "2: INIT\n" : "1: DOWN\n");
      tree_.write(port / "phys_state", "2: Polling\n");
      tree_.write(port / "rate", "10 Gb/sec (4X SDR)\n");
      tree_.write(port / "pkeys/0", "0x7fff\n");
    }
  }
};

TEST_F(SwitchManagers, AreNoAdapters) {
  for (const auto* profile : {"generic", "nd96isr_h100_v5"}) {
    const auto looked = run(profile);
    expect_healthy(looked);
    const auto told = std::ranges::count(looked.measurements, "ib_link.switch_manager", &results::Measurement::metric);
    EXPECT_EQ(told, 4);
  }
}

TEST_F(SwitchManagers, WithoutThatWordAreAdapters) {
  for (int i = 0; i < 4; ++i)
    tree_.write("sys/devices/pci0000:00/0000:c5:00." + std::to_string(i) + "/vpd", "\x82\x0a\0a NIC\x78");
  expect_fault(run("generic"), Status::warn, "ib_port_down", {{"nic", "mlx5_8"}});
}

TEST_F(SwitchManagers, AreNoAdaptersInAnyState) {
  for (const auto* state : {"1: DOWN", "2: INIT", "3: ARMED", "4: ACTIVE"}) {
    for (int i = 0; i < 4; ++i) replace(adapters / ("mlx5_" + std::to_string(8 + i)) / "ports/1/state", state);
    expect_healthy(run("generic"));
  }
}

TEST_F(SwitchManagers, MayDifferInWhatAdaptersMayNot) {
  replace(adapters / "mlx5_9/fw_ver", "35.2014.1600");
  replace(adapters / "mlx5_10/ports/1/pkeys/0", "0x8001");
  replace(adapters / "mlx5_11/board_id", "NVD0000000062");
  fs::remove_all(tree_.path() / adapters / "mlx5_8");
  expect_healthy(run("generic"));
}

TEST_F(SwitchManagers, HideNoFaultOfAnAdapter) {
  take_down(3);
  expect_fault(run("generic"), Status::warn, "ib_port_down", third);
}

TEST_F(SwitchManagers, AloneLeaveNothingToLookAt) {
  for (int i = 0; i < 8; ++i) fs::remove_all(tree_.path() / adapters / ("mlx5_ib" + std::to_string(i)));
  for (const auto& verdict : run("generic").verdicts) EXPECT_NE(verdict.fault, "ib_port_down") << verdict.reason;
}

// Counters that were full before, and are so still.
struct Full {
  const char* counter;
  const char* value;
  bool is_full;
};
class FullCounters : public Ports, public testing::WithParamInterface<Full> {};

TEST_P(FullCounters, AreAWarningOfAFitNode) {
  replace(port(3) / "counters" / GetParam().counter, GetParam().value);
  fs::remove(state_.path() / "ib_link.json");
  const auto looked = run("generic");
  if (!GetParam().is_full) return expect_healthy(looked);
  EXPECT_EQ(looked.status, Status::warn);
  expect_fault(looked, Status::warn, "counter_full", third);
}

TEST_F(Ports, WithFullCountersOnAllOfEightAreAWarningEach) {
  for (int i = 0; i < 8; ++i) {
    replace(port(i) / "counters/excessive_buffer_overrun_errors", "15");
    replace(port(i) / "counters/link_downed", "255");
  }
  fs::remove(state_.path() / "ib_link.json");
  const auto looked = run("generic");
  EXPECT_EQ(looked.status, Status::warn);
  for (int i = 0; i < 8; ++i)
    expect_fault(looked, Status::warn, "counter_full", {{"nic", "mlx5_ib" + std::to_string(i)}});
}

INSTANTIATE_TEST_SUITE_P(OfEveryWidth, FullCounters,
                         testing::Values(Full{"excessive_buffer_overrun_errors", "15", true},
                                         Full{"local_link_integrity_errors", "15", true},
                                         Full{"link_downed", "255", true}, Full{"link_error_recovery", "255", true},
                                         Full{"symbol_error", "65535", true}, Full{"port_rcv_errors", "65535", true},
                                         Full{"excessive_buffer_overrun_errors", "14", false},
                                         Full{"link_error_recovery", "15", false}, Full{"symbol_error", "255", false}),
                         [](const auto& full) { return std::string(full.param.counter) + "_" + full.param.value; });

}  // namespace
}  // namespace muster::tests
