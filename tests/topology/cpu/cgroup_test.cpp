// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cgroup.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "tests/support/files.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

CgroupLimits limits_of(const std::string& machine) {
  return cgroup_limits(Sysfs(tests::source_folder() / "tests/machines" / machine));
}

TEST(MemoryLimit, MaxAndVersionOnesLargestNumberAreNone) {
  EXPECT_EQ(memory_limit("max"), std::nullopt);
  EXPECT_EQ(memory_limit("9223372036854771712"), std::nullopt);
  EXPECT_EQ(memory_limit("1024"), 1024);
  EXPECT_EQ(memory_limit("0"), 0);
}

TEST(MemoryLimit, GarbageIsAnError) {
  for (const auto* text : {"", "unlimited", "-1", "1 2"}) EXPECT_THROW(memory_limit(text), Error) << text;
}

TEST(CpuMax, IsQuotaDividedByPeriod) {
  EXPECT_EQ(cpu_max("200000 100000"), 2);
  EXPECT_EQ(cpu_max("50000 100000"), 0.5);
  EXPECT_EQ(cpu_max("max 100000"), std::nullopt);
}

TEST(CpuMax, GarbageIsAnError) {
  for (const auto* text : {"", "max", "200000", "a b", "100000 0", "none 100000", "1 2 3"})
    EXPECT_THROW(cpu_max(text), Error) << text;
}

TEST(CgroupLimits, VersionOneTakesTheSmallestOfItsAncestors) {
  const auto limits = limits_of("cgroup_v1");
  EXPECT_EQ(limits.memory_bytes, 32 * gibibyte) << "the parent's, which is smaller than its own 64 GiB";
  EXPECT_EQ(limits.cpu_cores, 4);
  EXPECT_EQ(limits.cpuset, cpu_list("0-7"));
}

TEST(CgroupLimits, VersionTwoTakesTheSmallestOfItsAncestors) {
  const auto limits = limits_of("cgroup_v2");
  EXPECT_EQ(limits.memory_bytes, 16 * gibibyte);
  EXPECT_EQ(limits.cpu_cores, 4);
  EXPECT_EQ(limits.cpuset, cpu_list("0-15"));
}

TEST(CgroupLimits, AreFoundByTheTableOfMountsWhereATreeHasNoOther) {
  for (const auto& [machine, cpus] : {std::pair("cgroup_v1", "0-7"), {"cgroup_v2", "0-15"}}) {
    const tests::TemporaryFolder tree;
    tests::copy_machine(machine, tree);
    std::filesystem::remove(tree.path() / "proc/self/mountinfo");
    tree.write("proc/mounts", std::string(machine) == "cgroup_v2"
                                  ? "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n"
                                  : "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n");
    EXPECT_EQ(cgroup_limits(Sysfs(tree.path())).cpuset, cpu_list(cpus)) << machine;
  }
}

TEST(CgroupLimits, ContainerSeesItsOwnGroupAsTheRoot) {
  const auto limits = limits_of("container_2_of_96");
  EXPECT_EQ(limits.memory_bytes, 8 * gibibyte);
  EXPECT_EQ(limits.cpu_cores, 2);
  EXPECT_EQ(limits.cpuset, (std::vector<int>{10, 11}));
}

TEST(AvailableMemory, IsTheSmallerOfWhatTheMachineAndTheGroupLeave) {
  const tests::TemporaryFolder tree;
  tree.write("proc/meminfo", "MemTotal: 8 kB\n");
  EXPECT_EQ(available_memory(Sysfs(tree.path()), {.memory_bytes = 5}), std::nullopt) << "nothing tells it";
  tree.write("proc/meminfo", "MemTotal: 8 kB\nMemAvailable: 4 kB\n");
  EXPECT_EQ(available_memory(Sysfs(tree.path()), {}), 4096);
  EXPECT_EQ(available_memory(Sysfs(tree.path()), {.memory_bytes = 8192}), 4096);
  EXPECT_EQ(available_memory(Sysfs(tree.path()), {.memory_bytes = 1024}), 1024);
}

TEST(CgroupLimits, NoneWhereNothingLimits) {
  const auto limits = limits_of("no_numa");
  EXPECT_EQ(limits.memory_bytes, std::nullopt);
  EXPECT_EQ(limits.cpu_cores, std::nullopt);
  EXPECT_EQ(limits.cpuset, std::nullopt);
}

// Docker on version 1: the process sees the host's name of its group, and that group mounted as the root.
TEST(CgroupLimits, GroupThatIsMountedAsTheRootIsFound) {
  const tests::TemporaryFolder tree;
  tree.write("proc/self/cgroup", "4:memory:/docker/1f/inner\n0::/\n");
  tree.write("proc/self/mountinfo", "5 4 0:9 /docker/1f /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4096\n");
  tree.write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "8192\n");
  EXPECT_EQ(cgroup_limits(Sysfs(tree.path())).memory_bytes, 4096);
  tree.write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "2048\n");
  EXPECT_EQ(cgroup_limits(Sysfs(tree.path())).memory_bytes, 2048);
}

TEST(CgroupLimits, GroupWhoseNameOnlyStartsLikeTheMountedOneLiesElsewhere) {
  const tests::TemporaryFolder tree;
  tree.write("proc/self/cgroup", "0::/docker/1f/inner\n");
  tree.write("proc/self/mountinfo", "5 4 0:9 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("sys/fs/cgroupf/inner/memory.max", "1024\n");
  tree.write("sys/fs/cgroup/memory.max", "4096\n");
  EXPECT_EQ(cgroup_limits(Sysfs(tree.path())).memory_bytes, 4096);
}

TEST(CgroupLimits, MountThatDoesNotHoldTheGroupGivesItsTop) {
  const tests::TemporaryFolder tree;
  tree.write("sys/fs/cgroup/inner/memory.max", "1024\n");
  tree.write("proc/self/cgroup", "0::/else/inner\n");
  tree.write("proc/self/mountinfo", "5 4 0:9 /mine /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("sys/fs/cgroup/memory.max", "4096\n");
  EXPECT_EQ(cgroup_limits(Sysfs(tree.path())).memory_bytes, 4096);
}

TEST(CgroupLimits, GarbageIsAnErrorThatNamesTheFile) {
  const tests::TemporaryFolder tree;
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("proc/self/mountinfo", "5 4 0:9 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("sys/fs/cgroup/memory.max", "much\n");
  try {
    cgroup_limits(Sysfs(tree.path()));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), "/sys/fs/cgroup/memory.max");
  }
  tree.write("proc/self/cgroup", "garbage\n");
  try {
    cgroup_limits(Sysfs(tree.path()));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), "proc/self/cgroup");
  }
}

}  // namespace
}  // namespace muster::topology
