// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/numa.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

TEST(NumaNodes, AreSortedByNumberNotByName) {
  const tests::TemporaryFolder tree;
  tree.write("sys/devices/system/node/node10/cpulist", "4-5\n");
  tree.write("sys/devices/system/node/node2/cpulist", "0-3\n");
  const auto nodes = numa_nodes(Sysfs(tree.path()));
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].number, 2);
  EXPECT_EQ(nodes[1].cpus, (std::vector<int>{4, 5}));
}

TEST(NumaNodes, WithMemoryOnlyCountAndEmptyOnesDoNot) {
  const tests::TemporaryFolder tree;
  tree.write("sys/devices/system/node/node0/cpulist", "\n");
  tree.write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 1024 kB\n");
  tree.write("sys/devices/system/node/node1/cpulist", "\n");
  tree.write("sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 0 kB\n");
  tree.write("sys/devices/system/node/online", "0-1\n");
  const auto nodes = numa_nodes(Sysfs(tree.path()));
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].memory_bytes, 1048576);
}

TEST(NumaNodes, NoneWhereTheKernelKnowsNone) {
  const tests::TemporaryFolder tree;
  tree.write("proc/version", "");
  EXPECT_TRUE(numa_nodes(Sysfs(tree.path())).empty());
}

TEST(NumaNodes, GarbageIsAnError) {
  const tests::TemporaryFolder tree;
  tree.write("sys/devices/system/node/node0/cpulist", "0..3\n");
  EXPECT_THROW(numa_nodes(Sysfs(tree.path())), Error);
}

}  // namespace
}  // namespace muster::topology
