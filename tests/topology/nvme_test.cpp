// SPDX-License-Identifier: Apache-2.0
#include "topology/nvme.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

TEST(NvmeDrives, OfAnNdv5NodeAreEight) {
  const auto drives = nvme_drives(Sysfs(tests::source_folder() / "tests/machines/ndv5"));
  ASSERT_EQ(drives.size(), 8U);
  EXPECT_EQ(drives[7].name, "nvme7");
  EXPECT_EQ(drives[7].pci, "c008:00:00.0");
  EXPECT_EQ(drives[7].model, "Microsoft NVMe Direct Disk v2");
  EXPECT_EQ(drives[7].firmware, "NVMDV002");
  EXPECT_EQ(drives[7].serial, "00000000000000000007");
  EXPECT_EQ(drives[7].state, "live");
}

TEST(NvmeDrives, AreBlockDevices) {
  const Sysfs sysfs(tests::source_folder() / "tests/machines/ndv5");
  EXPECT_EQ(namespaces(sysfs, nvme_drives(sysfs).at(7)), std::vector<std::string>{"nvme7n1"});
}

TEST(NvmeDrives, AreBlockDevicesBehindTheirPaths) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/nvme/nvme12/nvme3c12n2/size", "8\n");
  const Sysfs sysfs(tree.path());
  const auto drives = nvme_drives(sysfs);
  EXPECT_EQ(namespaces(sysfs, drives.at(0)), std::vector<std::string>{"nvme3n2"});
  EXPECT_EQ(drive_of(sysfs, drives, "nvme3n2p1"), drives.at(0));
}

TEST(NvmeDrives, HaveATemperatureWhereTheKernelAsksForIt) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/nvme/nvme0/hwmon3/temp1_input", "37850\n");
  tree.write("sys/class/nvme/nvme1/model", "of a kernel that does not\n");
  const Sysfs sysfs(tree.path());
  const auto drives = nvme_drives(sysfs);
  EXPECT_EQ(temperature(sysfs, drives.at(0)), 37.85);
  EXPECT_EQ(temperature(sysfs, drives.at(1)), std::nullopt);
}

TEST(NvmeDrives, ThoseReachedOverANetworkAreLeftOut) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/nvme/nvme0/transport", "tcp\n");
  tree.write("sys/class/nvme/nvme1/transport", "pcie\n");
  tree.write("sys/class/nvme/nvme2/model", "of a kernel without that file\n");
  const auto drives = nvme_drives(Sysfs(tree.path()));
  ASSERT_EQ(drives.size(), 2U);
  EXPECT_EQ(drives[0].name, "nvme1");
  EXPECT_EQ(drives[0].model, "");
}

}  // namespace
}  // namespace muster::topology
