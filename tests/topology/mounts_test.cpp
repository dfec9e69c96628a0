// SPDX-License-Identifier: Apache-2.0
#include "topology/mounts.hpp"

#include <gtest/gtest.h>

#include "topology/error.hpp"

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
                           "35 24 0:30 / /mnt - cgroup2 cgroup2 rw", "35 24 0:30 / /mnt rw - cgroup2 cgroup2"})
    EXPECT_THROW(mounts(text), Error) << text;
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
