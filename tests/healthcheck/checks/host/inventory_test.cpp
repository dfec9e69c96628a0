// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

namespace fs = std::filesystem;
using results::Status;

const std::string ndv5_profile = "nd96isr_h100_v5";

// A healthy NDv5 node to break in one place.
class InventoryFaults : public testing::Test {
 protected:
  InventoryFaults() { copy_machine("ndv5", tree_); }

  void remove(const fs::path& relative) { ASSERT_GT(fs::remove_all(tree_.path() / relative), 0U) << relative; }
  void replace(const fs::path& relative, std::string_view text) {
    ASSERT_TRUE(fs::exists(tree_.path() / relative)) << relative;
    tree_.write(relative, text);
  }
  results::CheckRun run(std::string_view profile = ndv5_profile) const { return checked(tree_.path(), profile); }

  TemporaryFolder tree_;
};

TEST_F(InventoryFaults, DriveGone) {
  remove("sys/class/nvme/nvme5");
  expect_fault(run(), Status::fail, "nvme_missing", {});
}

TEST_F(InventoryFaults, GpuGone) {
  remove("sys/bus/pci/devices/0009:00:00.0");
  expect_fault(run(), Status::fail, "gpu_missing", {});
}

TEST_F(InventoryFaults, GpuThatReadsAllOnes) {
  replace("sys/bus/pci/devices/0009:00:00.0/config", std::string(64, '\xff'));
  expect_fault(run(), Status::fail, "gpu_lost", {{"gpu", "4"}, {"pci", "0009:00:00.0"}});
}

TEST_F(InventoryFaults, GpuWithoutVendor) {
  replace("sys/bus/pci/devices/0001:00:00.0/vendor", "0xffff\n");
  expect_fault(run("generic"), Status::fail, "gpu_lost", {{"gpu", "0"}, {"pci", "0001:00:00.0"}});
}

TEST_F(InventoryFaults, NicGone) {
  remove("sys/class/infiniband/mlx5_ib2");
  expect_fault(run(), Status::fail, "nic_missing", {});
}

TEST_F(InventoryFaults, NicThatBecameEthernetIsNoInfiniBandNic) {
  replace("sys/class/infiniband/mlx5_ib2/ports/1/link_layer", "Ethernet\n");
  expect_fault(run(), Status::fail, "nic_missing", {});
}

TEST_F(InventoryFaults, CpuOffline) {
  replace("sys/devices/system/cpu/online", "0-16,18-95\n");
  expect_fault(run(), Status::fail, "cpu_offline", {{"cpus", "17"}});
}

using InventoryOtherwise = InventoryFaults;

TEST_F(InventoryFaults, MemoryMissing) {
  replace("proc/meminfo", "MemTotal:       1670736256 kB\nHardwareCorrupted:     0 kB\n");
  expect_fault(run(), Status::fail, "memory_missing", {});
}

TEST_F(InventoryFaults, MemoryPoisoned) {
  replace("proc/meminfo", "MemTotal:       1909412864 kB\nHardwareCorrupted:     4 kB\n");
  expect_fault(run("generic"), Status::fail, "memory_poisoned", {});
}

TEST_F(InventoryFaults, TheKernelRemembersWhatItsLogHasLost) {
  for (const auto& [tainted, taint, fault] : {std::tuple{"16", "machine_check", "cpu_machine_check"},
                                              {"32", "bad_page", "kernel_oops"},
                                              {"128", "oops", "kernel_oops"},
                                              {"12289", "", ""},
                                              {"16384", "soft_lockup", "kernel_lockup"}}) {
    tree_.write("proc/sys/kernel/tainted", fmt::format("{}\n", tainted));
    const auto found = run("generic");
    if (*fault == '\0')
      expect_healthy(found);  // as by a driver of others that is not signed
    else
      expect_fault(found, Status::warn, fault, {{"taint", taint}});
  }
}

TEST_F(InventoryFaults, ATaintThatIsNoNumberIsUnreadable) {
  tree_.write("proc/sys/kernel/tainted", "G W\n");
  expect_fault(run("generic"), Status::unknown, "kernel_file_unreadable", {{"path", "proc/sys/kernel/tainted"}});
}

TEST_F(InventoryFaults, UncorrectedErrorsSinceBootAreAWarningUntilARunHasCountedThem) {
  const TemporaryFolder state;
  const auto look = [&] {
    return checked(tree_.path(), "generic", {.tier = results::Tier::preflight, .state = state.path()});
  };
  replace("sys/devices/system/edac/mc/mc1/ue_count", "5\n");
  replace("sys/bus/pci/devices/0003:00:00.0/aer_dev_fatal", "TOTAL_ERR_FATAL 3\n");
  replace("sys/bus/pci/devices/0003:00:00.0/aer_dev_correctable", "TOTAL_ERR_COR 100000\n");
  const auto first = look();
  EXPECT_EQ(first.status, Status::warn);
  expect_fault(first, Status::warn, "memory_uncorrectable_errors", {{"memory_controller", "1"}, {"since", "boot"}});
  expect_fault(first, Status::warn, "pcie_fatal_errors", {{"pci", "0003:00:00.0"}, {"since", "boot"}});
  replace("proc/uptime", "99999999.00 1.00\n");
  expect_healthy(look());
  replace("sys/devices/system/edac/mc/mc1/ue_count", "6\n");
  replace("proc/uptime", "99999999.50 1.00\n");
  expect_fault(look(), Status::warn, "memory_uncorrectable_errors",
               {{"memory_controller", "1"}, {"since", "the last run"}});
}

TEST_F(InventoryFaults, GarbageInAFile) {
  replace("sys/class/infiniband/mlx5_ib4/ports/1/rate", "garbage\n");
  expect_fault(run("generic"), Status::unknown, "kernel_file_unreadable",
               {{"path", "sys/class/infiniband/mlx5_ib4/ports/1/rate"}});
}

TEST_F(InventoryFaults, GarbageInHypervsPool) {
  tree_.write("var/lib/hyperv/.kvp_pool_3", "torn");
  expect_fault(run("generic"), Status::unknown, "kernel_file_unreadable", {{"path", "var/lib/hyperv/.kvp_pool_3"}});
}

TEST_F(InventoryFaults, GarbageCostsOnlyTheFactsThatNeedIt) {
  replace("proc/meminfo", "garbage\n");
  replace("sys/devices/system/cpu/online", "garbage\n");
  const auto broken = run();
  EXPECT_EQ(broken.status, Status::unknown);
  const auto has = [&](std::string_view metric, const results::Labels& labels) {
    return std::ranges::any_of(broken.measurements, [&](const results::Measurement& fact) {
      return fact.metric == metric && fact.labels == labels;
    });
  };
  EXPECT_TRUE(has("inventory.unreadable_file", {{"path", "proc/meminfo"}}));
  EXPECT_TRUE(has("inventory.unreadable_file", {{"path", "sys/devices/system/cpu/online"}}));
  EXPECT_TRUE(has("inventory.gpu_count", {}));
  EXPECT_TRUE(has("inventory.port_rate", {{"nic", "mlx5_ib7"}, {"port", "1"}}));
  EXPECT_FALSE(has("inventory.memory", {}));
  EXPECT_FALSE(has("inventory.cpu_count", {}));
}

TEST(InventoryHealthyNdv5, WithItsProfile) {
  expect_healthy(checked(source_folder() / "tests/machines/ndv5", ndv5_profile));
}

class InventoryHealthy : public testing::TestWithParam<const char*> {};

TEST_P(InventoryHealthy, WithTheGenericProfile) {
  expect_healthy(checked(source_folder() / "tests/machines" / GetParam(), "generic"));
}

INSTANTIATE_TEST_SUITE_P(Machines, InventoryHealthy,
                         testing::Values("ndv5", "no_numa", "cgroup_v1", "cgroup_v2", "container_2_of_96"),
                         [](const auto& machine) { return std::string(machine.param); });

}  // namespace
}  // namespace muster::tests
