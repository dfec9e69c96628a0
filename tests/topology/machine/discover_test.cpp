// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/discover.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "tests/topology/machines.hpp"
#include "topology/nccl/difference.hpp"
#include "topology/nccl/lint.hpp"

namespace muster::topology {
namespace {

namespace fs = std::filesystem;
using tests::shipped;

// A machine whose bridges are visible: a GPU and a NIC behind one switch, a GPU on a root port.
class VisibleSwitches : public testing::Test {
 protected:
  VisibleSwitches() {
    folder_.write("proc/cpuinfo", "vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\n");
    folder_.write("sys/devices/system/node/node0/cpulist", "0-3\n");
    folder_.write("sys/devices/system/node/node1/cpulist", "4-7\n");
    const std::string up = "pci0000:00/0000:00:01.0/0000:01:00.0";
    device("pci0000:00/0000:00:01.0", "0x060400", 0);
    device(up, "0x060400", 0);
    device(up + "/0000:02:00.0", "0x060400", 0);
    device(up + "/0000:02:00.0/0000:03:00.0", "0x030200", 0);
    device(up + "/0000:02:01.0", "0x060400", 0);
    device(up + "/0000:02:01.0/0000:04:00.0", "0x020700", 0);
    device("pci0000:80/0000:80:01.0", "0x060400", 1);
    device("pci0000:80/0000:80:01.0/0000:81:00.0", "0x030200", 1);
  }

  void device(const std::string& place, const std::string& code, int numa) {
    const fs::path folder = fs::path("sys/devices") / place;
    folder_.write(folder / "class", code + "\n");
    folder_.write(folder / "vendor", code == "0x020700" ? "0x15b3\n" : "0x10de\n");
    folder_.write(folder / "device", "0x2330\n");
    folder_.write(folder / "numa_node", std::to_string(numa) + "\n");
    folder_.write(folder / "max_link_speed", "32.0 GT/s PCIe\n");
    folder_.write(folder / "max_link_width", "16\n");
    const fs::path links = folder_.path() / "sys/bus/pci/devices";
    fs::create_directories(links);
    fs::create_directory_symlink(fs::path("../../../devices") / place, links / folder.filename());
  }
  Discovery found() const { return discover(Sysfs(folder_.path())); }

  tests::TemporaryFolder folder_;
};

TEST_F(VisibleSwitches, AreThoseThatNcclSees) {
  const auto machine = found();
  EXPECT_EQ(machine.switches, Switches::seen);
  ASSERT_EQ(machine.machine.domains.size(), 2U);
  const auto& near = machine.machine.domains[0].devices;
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0].address, "0000:01:00.0");  // the port up of the switch
  ASSERT_EQ(near[0].children.size(), 2U);
  EXPECT_EQ(near[0].children[0].address, "0000:03:00.0");
  EXPECT_EQ(near[0].children[1].address, "0000:04:00.0");
  const auto& far = machine.machine.domains[1].devices;
  ASSERT_EQ(far.size(), 1U);
  EXPECT_EQ(far[0].address, "0000:81:00.0");  // a root port is no switch
}

TEST_F(VisibleSwitches, TheNarrowerOfDeviceAndPortCounts) {
  folder_.write("sys/devices/pci0000:80/0000:80:01.0/max_link_width", "8\n");
  EXPECT_EQ(found().machine.domains[1].devices[0].link.width, 8);
}

TEST_F(VisibleSwitches, WrongPairingIsAnError) {
  const auto here = found();
  auto wanted = for_nccl(here);
  auto& devices = wanted.domains[0].devices;
  devices.push_back(devices[0].children[1]);
  devices[0].children.pop_back();
  const auto findings = check_topology(to_nccl_xml(wanted), here);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].wrong, TopologyDefect::pairing);
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_EQ(findings[0].device, "0000:04:00.0");
}

TEST_F(VisibleSwitches, WhatIsGeneratedDescribesTheMachine) {
  EXPECT_EQ(check_topology(to_nccl_xml(for_nccl(found())), found()), Findings());
}

std::set<std::pair<std::string, std::string>> pairs(const Machine& machine) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const DeviceLocation& gpu : devices(machine, DeviceKind::gpu))
    for (const PciNode* nic : below(*gpu.bridge, DeviceKind::infiniband))
      pairs.emplace(gpu.node->address, nic->address);
  return pairs;
}

TEST(GeneratedForNdv5, IsWhatWeShipEvenWhereSwitchesAreInferred) {
  const Discovery inferred = discover(Sysfs(tests::source_folder() / "tests/machines/ndv5"));
  ASSERT_EQ(inferred.switches, Switches::inferred);
  const Machine wanted = read_topology(shipped("ndv5-topo.xml")).machine;
  for (const auto& found : {inferred, tests::ndv5()}) {
    const std::string text = to_nccl_xml(for_nccl(found));
    EXPECT_EQ(lint(text), Findings());
    const Machine machine = read_topology(text).machine;
    EXPECT_EQ(pairs(machine), pairs(wanted));
    ASSERT_EQ(machine.domains.size(), wanted.domains.size());
    for (std::size_t index = 0; index < machine.domains.size(); ++index) {
      EXPECT_EQ(machine.domains[index].number, wanted.domains[index].number);
      EXPECT_EQ(machine.domains[index].cpus, wanted.domains[index].cpus);
    }
  }
}

TEST(Recognise, OnlyTheSameDevicesInTheSamePlaces) {
  const Machine known = read_topology(shipped("ndv5-topo.xml")).machine;
  Discovery found = discover(Sysfs(tests::source_folder() / "tests/machines/ndv5"));
  EXPECT_FALSE(recognise(found, read_topology(shipped("ndv4-topo.xml")).machine));
  EXPECT_TRUE(recognise(found, known));
  EXPECT_EQ(found.switches, Switches::recognised);
  EXPECT_EQ(found.machine.domains[0].devices[0].children[0].vendor, "0x10de");  // leaves stay the machine's own
}

TEST(Discover, OddMachinesHaveATopologyThatLintsClean) {
  for (const auto* name : {"no_numa", "cgroup_v1", "cgroup_v2", "container_2_of_96"}) {
    const auto found = discover(Sysfs(tests::source_folder() / "tests/machines" / name));
    EXPECT_EQ(lint(to_nccl_xml(for_nccl(found))), Findings()) << name;
  }
}

TEST(Discover, ThisMachineIsDescribedByWhatItGenerates) {
  const auto found = discover(Sysfs());
  EXPECT_FALSE(has_error(check_topology(to_nccl_xml(for_nccl(found)), found)));
}

}  // namespace
}  // namespace muster::topology
