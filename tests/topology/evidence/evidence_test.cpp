// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/files.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

double counted(const std::vector<Counter>& counters, std::string_view metric, const std::string& label,
               const std::string& value) {
  const auto found = std::ranges::find_if(counters, [&](const Counter& counter) {
    const auto at = counter.labels.find(label);
    return counter.metric == metric && at != counter.labels.end() && at->second == value;
  });
  return found == counters.end() ? -1 : found->value;
}

// What all sources say of a metric.
std::vector<Counter> evidence(std::string_view metric, const Sysfs& sysfs) {
  std::vector<Counter> found;
  for (const auto source : evidence_sources())
    std::ranges::copy_if(source(sysfs), std::back_inserter(found),
                         [&](const Counter& counter) { return counter.metric == metric; });
  return found;
}

TEST(AerTotal, IsTheTotalLineWhateverItsKind) {
  EXPECT_EQ(aer_total("RxErr 1\nBadTLP 2\nTOTAL_ERR_COR 3"), 3);
  EXPECT_EQ(aer_total("Undefined 0\nTOTAL_ERR_FATAL 0"), 0);
}

TEST(AerTotal, GarbageIsAnErrorThatQuotesTheText) {
  for (const auto* text : {"", "RxErr 1", "TOTAL_ERR_COR", "TOTAL_ERR_COR many"}) EXPECT_THROW(aer_total(text), Error);
}

TEST(Counters, OfAnNdv5NodeAreThereAndZero) {
  const Sysfs sysfs(tests::source_folder() / "tests/machines/ndv5");
  EXPECT_EQ(pcie_aer(sysfs).size(), 17U * 3) << "8 GPUs and 9 NICs";
  EXPECT_EQ(counted(pcie_aer(sysfs), "pcie_aer.nonfatal", "pci", "0008:00:00.0"), 0);
  EXPECT_EQ(counted(edac(sysfs), "edac.uncorrectable", "memory_controller", "1"), 0);
  EXPECT_EQ(counted(thermal_throttle(sysfs), "cpu.thermal_throttle", "cpu", "48"), 0);
  EXPECT_EQ(counted(thermal_throttle(sysfs), "cpu.thermal_throttle", "package", "1"), 0);
}

TEST(Counters, CountWhatTheirFilesSay) {
  const tests::TemporaryFolder tree;
  tree.write("sys/bus/pci/devices/0001:00:00.0/aer_dev_fatal", "DLP 2\nTOTAL_ERR_FATAL 2\n");
  tree.write("sys/devices/system/edac/mc/mc0/ce_count", "7\n");
  tree.write("sys/devices/system/edac/mc/mc0/ue_count", "1\n");
  tree.write("sys/devices/system/edac/mc/power/control", "auto\n");
  const Sysfs sysfs(tree.path());
  EXPECT_EQ(counted(pcie_aer(sysfs), "pcie_aer.fatal", "pci", "0001:00:00.0"), 2);
  EXPECT_EQ(edac(sysfs).size(), 2U);
  EXPECT_EQ(counted(edac(sysfs), "edac.correctable", "memory_controller", "0"), 7);
}

TEST(Counters, PackageIsCountedOnceAndEachCoreByItself) {
  const tests::TemporaryFolder tree;
  for (const std::string cpu : {"0", "1"}) {
    const auto folder = "sys/devices/system/cpu/cpu" + cpu;
    tree.write(folder + "/topology/physical_package_id", "0\n");
    tree.write(folder + "/thermal_throttle/core_throttle_count", cpu + "\n");
    tree.write(folder + "/thermal_throttle/package_throttle_count", "5\n");
  }
  tree.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  const auto counters = thermal_throttle(Sysfs(tree.path()));
  EXPECT_EQ(counters.size(), 3U);
  EXPECT_EQ(counted(counters, "cpu.thermal_throttle", "cpu", "1"), 1);
  EXPECT_EQ(counted(counters, "cpu.thermal_throttle", "package", "0"), 5);
}

TEST(Counters, OfAPortAreUnderTheNamesOfTheKernel) {
  const tests::TemporaryFolder tree;
  const std::string hca = "sys/class/infiniband/mlx5_0";
  tree.write(hca + "/ports/2/counters/symbol_error", "7\n");
  tree.write(hca + "/ports/2/hw_counters/out_of_sequence", "8\n");
  tree.write(hca + "/device/net/ib1/mtu", "2044\n");
  tree.write("sys/class/net/ib1/dev_port", "1\n");
  tree.write("sys/class/net/ib1/carrier_changes", "9\n");
  const std::vector<Counter> expected = {
      {"infiniband.symbol_error", {{"nic", "mlx5_0"}, {"port", "2"}}, 7},
      {"infiniband.out_of_sequence", {{"nic", "mlx5_0"}, {"port", "2"}}, 8},
      {"infiniband.carrier_changes", {{"nic", "mlx5_0"}, {"port", "2"}, {"interface", "ib1"}}, 9}};
  EXPECT_EQ(infiniband(Sysfs(tree.path())), expected);
}

TEST(Counters, OfAPortAreSaturatedWhereTheyEnd) {
  EXPECT_TRUE(saturated("infiniband.link_downed", 255));
  EXPECT_FALSE(saturated("infiniband.link_downed", 254));
  EXPECT_TRUE(saturated("infiniband.local_link_integrity_errors", 15));
  EXPECT_TRUE(saturated("infiniband.symbol_error", 65'535));
  EXPECT_TRUE(saturated("infiniband.port_xmit_wait", 4'294'967'295));
  EXPECT_FALSE(saturated("infiniband.out_of_sequence", 4'294'967'295));
  EXPECT_FALSE(saturated("edac.correctable", 1e15));
}

TEST(Counters, NoneWhereTheMachineHasNoSource) {
  const Sysfs sysfs(tests::source_folder() / "tests/machines/no_numa");
  EXPECT_TRUE(pcie_aer(sysfs).empty());
  EXPECT_TRUE(edac(sysfs).empty());
  EXPECT_TRUE(thermal_throttle(sysfs).empty());
  EXPECT_TRUE(infiniband(sysfs).empty());
}

TEST(Counters, GarbageIsAnErrorThatNamesTheFile) {
  const tests::TemporaryFolder tree;
  tree.write("sys/devices/system/edac/mc/mc0/ce_count", "none\n");
  EXPECT_THROW(edac(Sysfs(tree.path())), Error);
}

TEST(StolenTicks, AreTheEighthOfTheMachine) {
  EXPECT_EQ(stolen_ticks("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 80 9 10\n"), 8);
  for (const auto* text : {"", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3", "cpu 1 2 3 4 5 6 7 many"})
    EXPECT_THROW(stolen_ticks(text), Error) << text;
}

TEST(StalledMicroseconds, AreTheTotalOfSome) {
  EXPECT_EQ(stalled_microseconds("some avg10=0.00 avg60=1.00 avg300=0.20 total=12345\nfull avg10=0.00 total=1\n"),
            12345);
  for (const auto* text : {"", "full avg10=0.00 total=1", "some avg10=0.00", "some total=many"})
    EXPECT_THROW(stalled_microseconds(text), Error) << text;
}

TEST(OomKills, AreNothingWhereTheKernelDoesNotCountThem) {
  EXPECT_EQ(oom_kills("nr_free_pages 1\noom_kill 3\nnuma_hit 7\n"), 3);
  EXPECT_EQ(oom_kills("nr_free_pages 1\n"), std::nullopt);
  EXPECT_THROW(oom_kills("oom_kill many\n"), Error);
}

TEST(Counters, OfNetworksAreThoseOfHardware) {
  const tests::TemporaryFolder tree;
  tree.write("sys/class/net/eth0/device/vendor", "0x15b3\n");
  tree.write("sys/class/net/eth0/statistics/rx_crc_errors", "3\n");
  tree.write("sys/class/net/veth1/statistics/rx_crc_errors", "4\n");
  const auto counters = network(Sysfs(tree.path()));
  ASSERT_EQ(counters.size(), 1U);
  EXPECT_EQ(counted(counters, "network.rx_crc_errors", "interface", "eth0"), 3);
}

TEST(Counters, OfDisksAreHexadecimalInTheKernelsFiles) {
  const tests::TemporaryFolder tree;
  tree.write("sys/block/sda/device/ioerr_cnt", "0x1a\n");
  tree.write("sys/block/sda/removable", "0\n");
  tree.write("sys/block/sr0/device/ioerr_cnt", "0x3\n");
  tree.write("sys/block/sr0/removable", "1\n");
  tree.write("sys/block/nvme0n1/size", "1\n");
  tree.write("sys/fs/ext4/sda1/errors_count", "2\n");
  const auto counters = block_devices(Sysfs(tree.path()));
  EXPECT_EQ(counters.size(), 2U);
  EXPECT_EQ(counted(counters, "block.io_errors", "device", "sda"), 26);
  EXPECT_EQ(counted(counters, "filesystem.errors", "device", "sda1"), 2);
}

TEST(MachineChecks, AreThoseOfAllCpus) {
  const tests::TemporaryFolder tree;
  tree.write("proc/interrupts",
             "            CPU0       CPU1\n"
             " NMI:          9          9   Non-maskable interrupts\n"
             " MCE:          1          2   Machine check exceptions\n"
             " MCP:        288        288   Machine check polls\n");
  const auto found = evidence("cpu.machine_checks", Sysfs(tree.path()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].value, 3);
}

TEST(MachineChecks, AreNothingWhereTheKernelCountsNone) {
  const tests::TemporaryFolder tree;
  tree.write("proc/interrupts", "            CPU0\n IPI0:          9   Rescheduling interrupts\n");
  EXPECT_TRUE(evidence("cpu.machine_checks", Sysfs(tree.path())).empty());
}

}  // namespace
}  // namespace muster::topology
