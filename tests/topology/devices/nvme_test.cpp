// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/nvme.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

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

// Two controllers of one subsystem and one of another, as Linux 6.1 shows them; the first that was identified gave its
// number to the subsystem.
class NvmeSubsystems : public testing::TestWithParam<bool> {
 protected:
  NvmeSubsystems() {
    const std::string path = GetParam() ? "nvme1c0n" : "nvme0n";
    for (const auto& name : {path + "1", path + "2"}) tree_.write("sys/class/nvme/nvme0/" + name + "/size", "8\n");
    for (const auto* name : {"1", "2"})
      tree_.write(fmt::format("sys/class/nvme/nvme1/{}n{}/size", GetParam() ? "nvme1c1" : "nvme1", name), "8\n");
    tree_.write("sys/class/nvme/nvme2/nvme2n1/size", "8\n");
    for (const auto* name : {"nvme0", "nvme1"})
      tree_.write(fmt::format("sys/class/nvme/{}/subsysnqn", name), "nqn.2019-08.org.qemu:two\n");
    tree_.write("sys/class/nvme/nvme2/subsysnqn", "nqn.2019-08.org.qemu:one\n");
  }
  std::vector<std::string> chosen() const {
    std::vector<std::string> names;
    for (const auto& each : one_of_each_subsystem(sysfs(), nvme_drives(sysfs()))) names.push_back(each.name);
    return names;
  }

  Sysfs sysfs() const { return Sysfs(tree_.path()); }

  tests::TemporaryFolder tree_;
};

TEST_P(NvmeSubsystems, HaveEachNamespaceOnceWhateverNumberOfControllersLeadsToIt) {
  EXPECT_EQ(count_of_drives(sysfs(), nvme_drives(sysfs())), 3U);
  std::filesystem::remove_all(tree_.path() / "sys/class/nvme/nvme0");
  EXPECT_EQ(count_of_drives(sysfs(), nvme_drives(sysfs())), 3U);
}

TEST_P(NvmeSubsystems, AreKnownByTheFirstControllerThatLeadsToANamespace) {
  EXPECT_EQ(chosen(), (std::vector<std::string>{"nvme0", "nvme2"}));
  for (const auto& name : sysfs().list("sys/class/nvme/nvme0"))
    if (name.starts_with("nvme")) std::filesystem::remove_all(tree_.path() / "sys/class/nvme/nvme0" / name);
  EXPECT_EQ(chosen(), (std::vector<std::string>{"nvme1", "nvme2"}));
}

TEST_P(NvmeSubsystems, TellTheirNamespacesApart) {
  const auto controllers = nvme_drives(sysfs());
  EXPECT_EQ(identity(controllers[0], "nvme0n1"), identity(controllers[1], "nvme1n1"));
  EXPECT_NE(identity(controllers[0], "nvme0n1"), identity(controllers[0], "nvme0n2"));
  EXPECT_NE(identity(controllers[0], "nvme0n1"), identity(controllers[2], "nvme2n1"));
}

INSTANTIATE_TEST_SUITE_P(WithMultipathAndWithout, NvmeSubsystems, testing::Bool());

TEST(NvmeDrives, OfAControllerWithoutANamespaceAreNone) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/nvme/nvme0/state", "live\n");
  const Sysfs sysfs(tree.path());
  EXPECT_EQ(count_of_drives(sysfs, nvme_drives(sysfs)), 0U);
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
  tree.write("sys/class/nvme/nvme1/transport", "garbage\n");
  EXPECT_EQ(nvme_drives(Sysfs(tree.path())).size(), 2U);
}

}  // namespace
}  // namespace muster::topology
