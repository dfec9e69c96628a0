// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

namespace fs = std::filesystem;
using results::Labels;
using results::Status;

const std::string ndv5_profile = "nd96isr_h100_v5";
const Labels nvme3 = {{"drive", "nvme3"}, {"pci", "c004:00:00.0"}, {"serial", "00000000000000000003"}};
const Labels array = {{"array", "md0"}};

// Places in a SMART log (NVM Express base specification 2.0, figure 207).
constexpr std::size_t log_size = 512;
constexpr std::size_t critical_warning = 0;
constexpr std::size_t temperature = 1;
constexpr std::size_t spare = 3;
constexpr std::size_t spare_threshold = 4;
constexpr std::size_t used = 5;
constexpr std::size_t media_errors = 160;

std::string healthy_log() {
  std::string log(log_size, '\0');
  log[temperature] = '\x36';  // 310 K
  log[temperature + 1] = '\1';
  log[spare] = 100;
  log[spare_threshold] = 10;
  log[used] = 3;
  return log;
}

// A healthy NDv5 node whose drives are a RAID0 with a file system, to break in one place.
class NvmeHealthFaults : public testing::Test {
 protected:
  NvmeHealthFaults() {
    copy_machine("ndv5", tree_);
    for (int drive = 0; drive < drives; ++drive) {
      const auto number = std::to_string(drive);
      tree_.write("dev/nvme" + number, healthy_log());
      tree_.write("sys/block/md0/md/dev-nvme" + number + "n1/state", "in_sync\n");
      for (const std::string which : {"current", "max"}) {
        tree_.write("sys/class/nvme/nvme" + number + "/device/" + which + "_link_speed", "16.0 GT/s PCIe\n");
        tree_.write("sys/class/nvme/nvme" + number + "/device/" + which + "_link_width", "4\n");
      }
    }
    tree_.write("sys/block/md0/md/level", "raid0\n");
    tree_.write("sys/block/md0/md/array_state", "clean\n");
    tree_.write("sys/block/md0/md/raid_disks", "8\n");
    tree_.write("sys/fs/ext4/md0/errors_count", "0\n");
    fs::create_directories(tree_.path() / "sys/dev/block");
    fs::create_symlink("../../block/md0", tree_.path() / "sys/dev/block/9:0");
    mount("rw,relatime", "rw,stripe=1024");
  }

  void replace(const fs::path& relative, std::string_view text) {
    ASSERT_TRUE(fs::exists(tree_.path() / relative)) << relative;
    tree_.write(relative, text);
  }
  void mount(const std::string& options, const std::string& of_filesystem) {
    replace("proc/self/mountinfo",
            "31 1 9:0 / /mnt/nvme " + options + " shared:1 - ext4 /dev/md0 " + of_filesystem + "\n");
  }
  void say(std::size_t where, char what) {
    auto log = healthy_log();
    log[where] = what;
    replace("dev/nvme3", log);
  }
  results::CheckRun run(std::string_view profile = ndv5_profile) const {
    return checked(tree_.path(), profile, {.tier = results::Tier::preflight});
  }

  static constexpr int drives = 8;
  TemporaryFolder tree_;
};

// What is no fault, and so does not turn red with a judge that always passes.
class NvmeHealthOtherwise : public NvmeHealthFaults {};

TEST_F(NvmeHealthOtherwise, AHealthyNodeIsNotAccused) {
  expect_healthy(run());
  expect_healthy(run("generic"));
}

TEST_F(NvmeHealthFaults, ADriveThatIsGone) {
  ASSERT_TRUE(fs::remove(tree_.path() / "sys/class/nvme/nvme3"));
  expect_fault(run(), Status::fail, "nvme_missing", {});
}

TEST_F(NvmeHealthFaults, TwoControllersOfOneDriveAreOneDrive) {
  for (const std::string controller : {"nvme2", "nvme3"})
    tree_.write("sys/class/nvme/" + controller + "/subsysnqn", "nqn.2014.08.org.nvmexpress:1\n");
  const auto found = run();
  expect_fault(found, Status::fail, "nvme_missing", {});
  const auto told = [&](std::string_view metric) {
    return std::ranges::count(found.measurements, metric, &results::Measurement::metric);
  };
  EXPECT_EQ(told("nvme_health.model"), drives - 1);
  EXPECT_EQ(told("nvme_health.smart"), drives) << "each controller has a log";
}

TEST_F(NvmeHealthFaults, NoDriveAtAll) {
  ASSERT_GT(fs::remove_all(tree_.path() / "sys/class/nvme"), 0U);
  expect_fault(run(), Status::fail, "nvme_missing", {});
}

TEST_F(NvmeHealthFaults, AControllerThatIsDead) {
  replace("sys/class/nvme/nvme3/state", "dead\n");
  expect_fault(run(), Status::fail, "nvme_not_live", nvme3);
}

TEST_F(NvmeHealthFaults, OneDriveWithOtherFirmware) {
  replace("sys/class/nvme/nvme3/firmware_rev", "NVMDV001\n");
  expect_fault(run(), Status::warn, "firmware_differs", nvme3);
}

TEST_F(NvmeHealthFaults, OneDriveOfAnotherModel) {
  replace("sys/class/nvme/nvme3/model", "Another Model\n");
  expect_fault(run(), Status::warn, "drive_differs", nvme3);
}

TEST_F(NvmeHealthOtherwise, FirmwareIsComparedAmongDrivesOfOneModel) {
  for (const std::string drive : {"nvme6", "nvme7"}) {
    replace("sys/class/nvme/" + drive + "/model", "Another Model\n");
    replace("sys/class/nvme/" + drive + "/firmware_rev", "OTHER001\n");
  }
  for (const auto& verdict : run("generic").verdicts) EXPECT_NE(verdict.fault, "firmware_differs");
}

TEST_F(NvmeHealthFaults, HalfTheLanes) {
  replace("sys/class/nvme/nvme3/device/current_link_width", "2\n");
  Labels labels = nvme3;
  labels.insert({{"link", "16 GT/s x2"}, {"most", "16 GT/s x4"}});
  expect_fault(run(), Status::warn, "pcie_link_reduced", labels);
}

TEST_F(NvmeHealthFaults, ADriveThatWarnsSaysOfWhat) {
  say(critical_warning, 2 + 8);
  Labels labels = nvme3;
  labels.emplace("warns_of", "temperature, read-only");
  expect_fault(run(), Status::fail, "nvme_worn", labels);
}

TEST_F(NvmeHealthFaults, DataThatADriveLost) {
  say(media_errors + 1, 1);
  expect_fault(run(), Status::warn, "nvme_worn", nvme3);
}

TEST_F(NvmeHealthFaults, ADriveBeyondItsLife) {
  say(used, 101);
  expect_fault(run(), Status::warn, "nvme_worn", nvme3);
}

TEST_F(NvmeHealthFaults, ADriveThatCannotBeAskedIsUnknown) {
  ASSERT_TRUE(fs::remove(tree_.path() / "dev/nvme3"));
  expect_fault(run(), Status::unknown, "nvme_not_asked", nvme3);
}

TEST_F(NvmeHealthFaults, ADriveThatDoesNotAnswerIsUnknown) {
  for (const auto* answer : {"", "half"}) {
    replace("dev/nvme3", answer);
    expect_fault(run(), Status::unknown, "nvme_not_asked", nvme3);
  }
}

TEST_F(NvmeHealthFaults, WhatMayNotBeAskedIsUnknownOnAnyMachine) {
  ASSERT_TRUE(fs::remove(tree_.path() / "dev/nvme3"));
  expect_fault(run("generic"), Status::unknown, "nvme_not_asked", nvme3);
}

TEST_F(NvmeHealthFaults, ACapturedTreeWithoutDevicesHasNoDriveToAsk) {
  for (int drive = 0; drive < drives; ++drive)
    ASSERT_TRUE(fs::remove(tree_.path() / ("dev/nvme" + std::to_string(drive))));
  const auto found = run();
  const auto smart = [](const results::Verdict& verdict) { return verdict.metric == "nvme_health.smart"; };
  const auto verdict = std::ranges::find_if(found.verdicts, smart);
  ASSERT_NE(verdict, found.verdicts.end());
  EXPECT_EQ(verdict->status, Status::unknown);
  EXPECT_EQ(verdict->reason, "a captured tree has no drive to ask");
}

TEST_F(NvmeHealthFaults, AnArrayThatIsBroken) {
  replace("sys/block/md0/md/array_state", "broken\n");
  expect_fault(run(), Status::fail, "raid_broken", array);
}

TEST_F(NvmeHealthFaults, AMemberThatFailedIsNamedByItsDrive) {
  replace("sys/block/md0/md/dev-nvme3n1/state", "faulty,in_sync\n");
  const auto broken = run();
  expect_fault(broken, Status::fail, "raid_degraded", array);
  expect_fault(broken, Status::fail, "raid_degraded", nvme3);
}

TEST_F(NvmeHealthFaults, AMemberThatIsMissing) {
  tree_.write("sys/block/md0/md/degraded", "1\n");
  ASSERT_GT(fs::remove_all(tree_.path() / "sys/block/md0/md/dev-nvme3n1"), 0U);
  expect_fault(run(), Status::fail, "raid_degraded", array);
}

TEST_F(NvmeHealthOtherwise, ASpareIsNotMissing) {
  tree_.write("sys/block/md0/md/degraded", "0\n");
  replace("sys/block/md0/md/dev-nvme3n1/state", "spare\n");
  expect_healthy(run());
}

const Labels mounted = {{"device", "md0"}, {"mount", "/mnt/nvme"}};

TEST_F(NvmeHealthFaults, AFilesystemMountedReadOnly) {
  mount("ro,relatime", "ro");
  expect_fault(run(), Status::warn, "filesystem_read_only", mounted);
}

TEST_F(NvmeHealthFaults, AFilesystemThatTheKernelTurnedReadOnly) {
  for (const auto* said : {"ro,stripe=1024", "rw,emergency_ro", "rw,shutdown"}) {
    mount("rw,relatime", said);
    expect_fault(run(), Status::fail, "filesystem_failed", mounted);
  }
}

TEST_F(NvmeHealthFaults, ErrorsThatAFilesystemCounted) {
  replace("sys/fs/ext4/md0/errors_count", "2\n");
  expect_fault(run(), Status::fail, "filesystem_failed", mounted);
}

TEST_F(NvmeHealthFaults, ADriveWithoutItsNamespace) {
  std::filesystem::remove_all(std::filesystem::canonical(tree_.path() / "sys/block/nvme3n1"));
  std::filesystem::remove(tree_.path() / "sys/block/nvme3n1");
  const auto lost = checked(tree_.path(), "nd96isr_h100_v5", {.tier = results::Tier::preflight});
  expect_fault(lost, Status::fail, "nvme_no_namespace", {{"drive", "nvme3"}});
}

TEST_F(NvmeHealthFaults, GarbageCostsOnlyTheFactsThatNeedIt) {
  replace("sys/block/md0/md/raid_disks", "eight\n");
  replace("sys/class/nvme/nvme3/state", "dead\n");
  const auto broken = run();
  expect_fault(broken, Status::unknown, "kernel_file_unreadable",
               {{"device", "md0"}, {"path", "sys/block/md0/md/raid_disks"}});
  expect_fault(broken, Status::fail, "nvme_not_live", nvme3);
}

TEST(NvmeHealthWithoutDisks, HasNothingToLookAt) {
  const auto run = checked(source_folder() / "tests/machines/no_numa");
  EXPECT_EQ(run.status, Status::skip);
  EXPECT_EQ(run.reason, "no NVMe drive, RAID array or file system on a block device");
}

}  // namespace
}  // namespace muster::tests
