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

}  // namespace
}  // namespace muster::topology
