// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/filesystems.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

class Filesystems : public testing::Test {
 protected:
  Filesystems() {
    for (const auto& [number, name] :
         {std::pair("9:0", "md0"), std::pair("7:3", "loop3"), std::pair("259:1", "nvme0n1p1")}) {
      tree_.write(std::string("sys/block/") + name + "/size", "8\n");
      std::filesystem::create_directories(tree_.path() / "sys/dev/block");
      std::filesystem::create_symlink(std::string("../../block/") + name, tree_.path() / "sys/dev/block" / number);
    }
  }
  std::vector<Filesystem> found(const std::string& mountinfo) const {
    tree_.write("proc/self/mountinfo", mountinfo);
    return filesystems(Sysfs(tree_.path()));
  }

  tests::TemporaryFolder tree_;
};

TEST_F(Filesystems, AreThoseOfBlockDevicesThatCanBeWritten) {
  tree_.write("sys/fs/ext4/md0/errors_count", "2\n");
  const auto all = found(
      "24 30 0:22 / /sys rw - sysfs sysfs rw\n"
      "30 1 259:1 / / rw,relatime - xfs /dev/root rw\n"
      "31 30 9:0 / /my\\040data rw - ext4 /dev/md0 rw\n"
      "32 30 7:3 / /snap/core ro - squashfs /dev/loop3 ro\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].device, "md0");
  EXPECT_EQ(all[0].point, "/my data");
  EXPECT_EQ(all[0].type, "ext4");
  EXPECT_EQ(all[0].errors, 2);
  EXPECT_EQ(all[1].device, "nvme0n1p1");
  EXPECT_EQ(all[1].errors, std::nullopt);
}

TEST_F(Filesystems, AreReadOnlyWhereTheyWereMountedSo) {
  const auto all = found(
      "30 1 9:0 / /a ro - ext4 /dev/md0 ro\n"
      "31 1 259:1 / /b rw - ext4 /dev/nvme0n1p1 rw\n"
      "32 1 259:1 /c /etc/hosts ro - ext4 /dev/nvme0n1p1 rw\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].access, Access::read_only);
  EXPECT_EQ(all[1].access, Access::read_write) << "only a place in it is read-only";
  EXPECT_EQ(all[1].point, "/b");
}

TEST_F(Filesystems, HaveFailedWhereTheKernelTookThemFromTheirMounts) {
  for (const auto* said : {"ro,errors=remount-ro", "rw,emergency_ro", "rw,shutdown"}) {
    const auto all = found("30 1 9:0 / /a rw - ext4 /dev/md0 " + std::string(said) + "\n");
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].access, Access::failed) << said;
  }
}

}  // namespace
}  // namespace muster::topology
