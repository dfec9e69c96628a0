// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/files.hpp"

namespace muster::healthcheck {
namespace {

TEST(Evidence, DeltasPairCountersByMetricAndLabels) {
  const std::vector<topology::Counter> before = {{"pcie_aer.fatal", {{"pci", "0000:01:00.0"}}, 1},
                                                 {"pcie_aer.fatal", {{"pci", "0000:02:00.0"}}, 2}};
  const std::vector<topology::Counter> after = {{"pcie_aer.fatal", {{"pci", "0000:02:00.0"}}, 5},
                                                {"pcie_aer.fatal", {{"pci", "0000:01:00.0"}}, 1}};
  const std::vector<results::Delta> expected = {{"pcie_aer.fatal", {{"pci", "0000:02:00.0"}}, 2, 5},
                                                {"pcie_aer.fatal", {{"pci", "0000:01:00.0"}}, 1, 1}};
  EXPECT_EQ(deltas(before, after), expected);
}

TEST(Evidence, ACounterThatIsInOneReadingOnlyHasNoDelta) {
  EXPECT_TRUE(deltas({}, {{"edac.correctable", {}, 7}}).empty());
  EXPECT_TRUE(deltas({{"edac.correctable", {}, 7}}, {}).empty());
}

TEST(Evidence, ReadsEverySourceTheMachineHas) {
  const tests::TemporaryFolder folder;
  folder.write("proc/version", "Linux\n");
  folder.write("sys/bus/pci/devices/0000:01:00.0/aer_dev_fatal", "Undefined 0\nTOTAL_ERR_FATAL 3\n");
  folder.write("sys/devices/system/edac/mc/mc0/ue_count", "4\n");
  folder.write("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "5\n");
  folder.write("sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", "6\n");
  const auto counters = read_evidence(topology::Sysfs(folder.path()));
  const auto value = [&](std::string_view metric) {
    const auto at = std::ranges::find(counters, metric, &topology::Counter::metric);
    return at == counters.end() ? -1 : at->value;
  };
  EXPECT_EQ(value("pcie_aer.fatal"), 3);
  EXPECT_EQ(value("edac.uncorrectable"), 4);
  EXPECT_EQ(value("cpu.thermal_throttle"), 5);
  EXPECT_EQ(value("infiniband.link_downed"), 6);
}

TEST(Evidence, AMachineWithoutAnySourceHasNone) {
  const tests::TemporaryFolder folder;
  folder.write("proc/version", "Linux\n");
  EXPECT_TRUE(read_evidence(topology::Sysfs(folder.path())).empty());
}

}  // namespace
}  // namespace muster::healthcheck
