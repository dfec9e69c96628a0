// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/judge/judge.hpp"
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

// A source of evidence, a file of it that grows while a check runs, and what the judge must say then.
struct Source {
  std::string file;
  std::string before;
  std::string after;
  results::Status status;
  std::string fault;
};

void PrintTo(const Source& source, std::ostream* out) { *out << source.file; }

class EvidenceThatGrows : public testing::TestWithParam<Source> {};

TEST_P(EvidenceThatGrows, TurnsTheCheckAndIsNamed) {
  const auto& source = GetParam();
  const tests::TemporaryFolder tree;
  tree.write("sys/class/net/eth0/device/vendor", "0x15b3\n");
  results::Report report;
  report.hosts = {{.name = "host", .fingerprint = {}}};
  auto& run = report.checks.emplace_back();
  run.check = "meddler";
  run.host = "host";
  run.outcome = results::Outcome::finished;
  const auto read = [&](const std::string& text) {
    tree.write(source.file, text + "\n");
    return read_evidence(topology::Sysfs(tree.path()));
  };
  const auto before = read(source.before);
  run.evidence = deltas(before, read(source.after));
  const auto root = tests::source_folder();
  auto profile = read_profile(root / "healthcheck/profiles/generic.json");
  std::erase_if(profile.expectations, [](const Expectation& expectation) { return !expectation.check.empty(); });
  const auto judged = judge(report, profile, Faults(root / "healthcheck/faults.json"));
  ASSERT_EQ(judged.checks.size(), 1U);
  ASSERT_EQ(judged.checks[0].verdicts.size(), 1U);
  EXPECT_EQ(judged.checks[0].verdicts[0].status, source.status);
  EXPECT_EQ(judged.checks[0].verdicts[0].fault, source.fault);
  run.evidence = deltas(before, before);
  EXPECT_TRUE(judge(report, profile, Faults(root / "healthcheck/faults.json")).checks[0].verdicts.empty());
}

using results::Status;

INSTANTIATE_TEST_SUITE_P(
    OfEverySource, EvidenceThatGrows,
    testing::Values(
        Source{"sys/bus/pci/devices/0000:01:00.0/aer_dev_fatal", "TOTAL_ERR_FATAL 0", "TOTAL_ERR_FATAL 1", Status::fail,
               "pcie_fatal_errors"},
        Source{"sys/bus/pci/devices/0000:01:00.0/aer_dev_nonfatal", "TOTAL_ERR_NONFATAL 0", "TOTAL_ERR_NONFATAL 1",
               Status::fail, "pcie_nonfatal_errors"},
        Source{"sys/bus/pci/devices/0000:01:00.0/aer_dev_correctable", "TOTAL_ERR_COR 0", "TOTAL_ERR_COR 1",
               Status::warn, "pcie_corrected_errors"},
        Source{"sys/devices/system/edac/mc/mc0/ue_count", "0", "1", Status::fail, "memory_uncorrectable_errors"},
        Source{"sys/devices/system/edac/mc/mc0/ce_count", "0", "1", Status::warn, "memory_corrected_errors"},
        Source{"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "0", "1", Status::warn,
               "cpu_throttled"},
        Source{"sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", "0", "1", Status::fail, "ib_link_flapping"},
        Source{"sys/class/net/eth0/statistics/rx_errors", "0", "1", Status::warn, "network_errors"},
        Source{"sys/class/net/eth0/statistics/rx_crc_errors", "0", "1", Status::warn, "network_errors"},
        Source{"sys/class/net/eth0/statistics/tx_errors", "0", "1", Status::warn, "network_errors"},
        Source{"sys/class/net/eth0/statistics/tx_carrier_errors", "0", "1", Status::warn, "network_errors"},
        Source{"sys/block/sda/device/ioerr_cnt", "0x0", "0x1", Status::fail, "block_io_error"},
        Source{"sys/fs/ext4/sda1/errors_count", "0", "1", Status::fail, "filesystem_failed"},
        Source{"proc/stat", "cpu 0 0 0 0 0 0 0 0", "cpu 0 0 0 0 0 0 0 100000", Status::warn, "cpu_stolen"},
        Source{"proc/pressure/memory", "some avg10=0.00 total=0", "some avg10=0.00 total=9000000", Status::warn,
               "memory_pressure"},
        Source{"proc/vmstat", "oom_kill 0", "oom_kill 1", Status::warn, "memory_exhausted"}),
    [](const auto& each) { return each.param.fault + "_" + std::to_string(each.index); });

}  // namespace
}  // namespace muster::healthcheck
