// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/mounts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

TEST(Mounts, OptionalFieldsBeforeTheDashAreAnyNumber) {
  const auto found = mounts(
      "35 24 0:30 /inner /mnt/a rw,nosuid shared:9 master:1 - cgroup2 cgroup2 rw,nsdelegate\n"
      "24 30 0:22 / /mnt/b rw - sysfs sysfs rw\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].device, "0:30");
  EXPECT_EQ(found[0].root, "/inner");
  EXPECT_EQ(found[0].point, "/mnt/a");
  EXPECT_EQ(found[0].point_options, "rw,nosuid");
  EXPECT_EQ(found[0].type, "cgroup2");
  EXPECT_EQ(found[0].options, "rw,nsdelegate");
  EXPECT_EQ(found[1].type, "sysfs");
}

TEST(Mounts, NamesAreThoseThatWereGiven) {
  const auto found = mounts("35 24 0:30 /a\\134b /my\\040data\\04 rw - ext4 /dev/sda rw\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].root, "/a\\b");
  EXPECT_EQ(found[0].point, "/my data\\04");
}

TEST(Mounts, GarbageIsAnErrorThatQuotesTheLine) {
  for (const auto* text : {"garbage", "35 24 0:30 / /mnt rw cgroup2 cgroup2 rw",
                           "35 24 0:30 / /mnt - cgroup2 cgroup2 rw", "35 24 0:30 / /mnt rw - cgroup2"})
    EXPECT_THROW(mounts(text), Error) << text;
}

TEST(Mounts, ASourceMayBeEmpty) {
  const auto found = mounts("35 24 0:30 / /x rw,relatime - tmpfs  rw,size=4k");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].type, "tmpfs");
  EXPECT_EQ(found[0].source, "");
  EXPECT_EQ(found[0].options, "rw,size=4k");
}

TEST(Mounts, LieOnABlockDeviceByTheirNumberOrByTheirSource) {
  const tests::TemporaryFolder tree;
  for (const auto* device : {"1/devices/nvme0n1", "2/devices/dm-0", "3/devices/sda", "3/devices/sdb"})
    tree.write(std::string("sys/fs/btrfs/") + device + "/dev", "259:0\n");
  for (const auto& [path, target] :
       {std::pair("sys/dev/block/9:0", "../../devices/virtual/block/md0"), {"dev/mapper/scratch", "../dm-0"}}) {
    std::filesystem::create_directories((tree.path() / path).parent_path());
    std::filesystem::create_symlink(target, tree.path() / path);
  }
  const Sysfs sysfs(tree.path());
  const auto device_of = [&](const std::string& line) { return block_device(sysfs, mounts(line).at(0)); };
  EXPECT_EQ(device_of("1 0 9:0 / /a rw - ext4 /dev/root rw"), "md0");
  EXPECT_EQ(device_of("1 0 0:40 / /b rw - btrfs /dev/nvme0n1 rw"), "nvme0n1");
  EXPECT_EQ(device_of("1 0 0:41 / /c rw - btrfs /dev/mapper/scratch rw"), "dm-0");
  EXPECT_EQ(device_of("1 0 0:44 / /f rw - btrfs /dev/sda rw"), std::nullopt);
  EXPECT_EQ(device_of("1 0 0:42 / /d rw - nfs4 server:/home rw"), std::nullopt);
  EXPECT_EQ(device_of("1 0 0:43 / /e rw - fuse /dev/fuse rw"), std::nullopt);
}

TEST(Mounts, AFolderLiesOnTheDeepestAndLast) {
  const auto all = mounts(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 9:0 / /mnt/data rw - ext4 /dev/md0 rw\n"
      "3 1 0:40 / /mnt/data rw - tmpfs tmpfs rw\n"
      "4 1 8:2 / /mnt rw - xfs /dev/sda2 rw\n");
  EXPECT_EQ(mount_above(all, "/")->type, "ext4");
  EXPECT_EQ(mount_above(all, "/home/me")->device, "8:1");
  EXPECT_EQ(mount_above(all, "/mnt/data")->type, "tmpfs");
  EXPECT_EQ(mount_above(all, "/mnt/data/deep")->type, "tmpfs");
  EXPECT_EQ(mount_above(all, "/mnt/database")->type, "xfs");
  EXPECT_FALSE(mount_above({}, "/"));
}

}  // namespace
}  // namespace muster::topology
