// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/pci.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

class PciTree : public testing::Test {
 protected:
  PciTree() { folder_.write("proc/version", ""); }

  void device(const std::string& address, std::string_view class_code, std::string_view vendor) {
    write(address, "class", class_code);
    write(address, "vendor", vendor);
    write(address, "device", "0x2330\n");
  }
  void write(const std::string& address, const std::string& name, std::string_view text) {
    folder_.write("sys/bus/pci/devices/" + address + "/" + name, text);
  }
  Sysfs sysfs() const { return Sysfs(folder_.path()); }

  tests::TemporaryFolder folder_;
};

TEST_F(PciTree, DeviceIsWhatItsFilesSay) {
  device("0001:00:00.0", "0x030200\n", "0x10de\n");
  write("0001:00:00.0", "numa_node", "1\n");
  const auto devices = pci_devices(sysfs());
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_EQ(devices[0].address, "0001:00:00.0");
  EXPECT_EQ(devices[0].class_code, 0x030200);
  EXPECT_EQ(devices[0].numa_node, 1);
  EXPECT_EQ(id(devices[0]), "10de:2330");
}

TEST_F(PciTree, NumaNodeMinusOneIsUnknown) {
  device("0001:00:00.0", "0x030200\n", "0x10de\n");
  write("0001:00:00.0", "numa_node", "-1\n");
  EXPECT_EQ(pci_devices(sysfs())[0].numa_node, std::nullopt);
}

TEST_F(PciTree, DeviceWithoutAClassWasRemoved) {
  write("0001:00:00.0", "vendor", "0x10de\n");
  EXPECT_TRUE(pci_devices(sysfs()).empty());
}

TEST_F(PciTree, GarbageIsAnErrorWithItsPath) {
  device("0001:00:00.0", "3D controller\n", "0x10de\n");
  try {
    pci_devices(sysfs());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), "sys/bus/pci/devices/0001:00:00.0/class");
  }
}

TEST_F(PciTree, GpusAreNvidiasDisplayAnd3dControllers) {
  device("0001:00:00.0", "0x030200\n", "0x10de\n");
  device("0002:00:00.0", "0x030000\n", "0x10de\n");
  device("0003:00:00.0", "0x030000\n", "0x1234\n");
  device("0004:00:00.0", "0x040300\n", "0x10de\n");
  device("0005:00:00.0", "0x068000\n", "0x10de\n");
  const auto gpus = nvidia_gpus(sysfs());
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[1].address, "0002:00:00.0");
}

TEST_F(PciTree, GpuWithoutVendorIsStillCountedAndDoesNotAnswer) {
  device("0001:00:00.0", "0x030200\n", "0xffff\n");
  const auto gpus = nvidia_gpus(sysfs());
  ASSERT_EQ(gpus.size(), 1U);
  EXPECT_FALSE(answers(sysfs(), gpus[0]));
}

TEST_F(PciTree, ConfigurationSpaceOfAllOnesDoesNotAnswer) {
  device("0001:00:00.0", "0x030200\n", "0x10de\n");
  const auto gpu = nvidia_gpus(sysfs()).at(0);
  EXPECT_TRUE(answers(sysfs(), gpu)) << "no configuration space to read says nothing";
  write("0001:00:00.0", "config", "\xde\x10\x30\x23 and so on");
  EXPECT_TRUE(answers(sysfs(), gpu));
  write("0001:00:00.0", "config", std::string(64, '\xff'));
  EXPECT_FALSE(answers(sysfs(), gpu));
}

}  // namespace
}  // namespace muster::topology
