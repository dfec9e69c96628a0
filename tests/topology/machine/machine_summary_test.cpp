// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/machine_summary.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

MachineSummary summary_of(const std::string& machine) {
  return machine_summary(Sysfs(tests::source_folder() / "tests/machines" / machine));
}

TEST(MachineSummary, OfAnNdv5Node) {
  const auto found = summary_of("ndv5");
  EXPECT_EQ(found.cpu_count, 96U);
  EXPECT_EQ(found.numa_count, 2U);
  EXPECT_EQ(found.gpu_count, 8U);
  EXPECT_EQ(found.gpu_id, "10de:2330");
  EXPECT_EQ(found.gpu_model, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(found.nic_count, 8U) << "the Ethernet port is not one of them";
  EXPECT_EQ(found.nic_rate_bits_per_second, 4e11);
  EXPECT_EQ(found.drive_count, 8U);
  EXPECT_NEAR(found.memory_bytes, 1915071e6, 0.05 * 1915071e6);
}

TEST(MachineSummary, OfSmallOddMachines) {
  EXPECT_EQ(summary_of("no_numa").numa_count, 0U);
  EXPECT_EQ(summary_of("no_numa").cpu_count, 2U);
  EXPECT_EQ(summary_of("container_2_of_96").cpu_count, 96U) << "what the machine has, not what the container may use";
  EXPECT_EQ(summary_of("cgroup_v1").gpu_count, 0U);
  EXPECT_EQ(summary_of("cgroup_v2").gpu_id, "");
}

TEST(MachineSummary, DamagedFilesLeaveTheOthersAlone) {
  const tests::TemporaryFolder tree;
  tests::copy_machine("ndv5", tree);
  tree.write("sys/devices/system/cpu/online", "garbage");
  tree.write("proc/meminfo", "garbage");
  tree.write("sys/class/infiniband/mlx5_ib0/ports/1/rate", "garbage");
  const auto found = machine_summary(Sysfs(tree.path()));
  EXPECT_EQ(found.cpu_count, 0U);
  EXPECT_EQ(found.memory_bytes, 0);
  EXPECT_EQ(found.gpu_count, 8U);
  EXPECT_EQ(found.nic_rate_bits_per_second, 4e11);
}

}  // namespace
}  // namespace muster::topology
