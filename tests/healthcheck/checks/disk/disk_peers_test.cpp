// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/disk.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using results::Status;

// This machine's own disk, said to be an array of five drives; their counters stand still.
class DiskPeersFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = folder_.why_no_disk(); !why.empty()) GTEST_SKIP() << why;
    const auto number = folder_.device();
    lies_on_filesystem("ext4");
    tree_.write("sys/devices/md0/dev", number);
    lies_on("md0");
    md("level", "raid0");
    md("chunk_size", "65536");
    for (int slot = 0; slot < 5; ++slot) {
      const auto drive = fmt::format("sd{}", slot);
      md(fmt::format("dev-{}/state", drive), "in_sync");
      md(fmt::format("dev-{}/slot", drive), std::to_string(slot));
      tree_.write(fmt::format("sys/class/block/{}/dev", drive), fmt::format("8:{}", slot));
      tree_.write(fmt::format("sys/dev/block/8:{}/stat", slot), "0 0 0 0 0 0 0 0 0 0 0\n");
    }
  }
  void TearDown() override {
    unsetenv("MUSTER_FAULT");
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }

  void lies_on(const std::string& device) const {
    const auto link = tree_.path() / "sys/dev/block" / folder_.device();
    std::filesystem::create_directories(link.parent_path());
    std::filesystem::remove(link);
    std::filesystem::create_directory_symlink("../../devices/" + device, link);
  }
  void lies_on_filesystem(const std::string& type) const {
    tree_.write("proc/self/mountinfo", fmt::format("1 0 {} / / rw - {} /dev/md0 rw\n", folder_.device(), type));
  }
  void write(const std::string& file, const std::string& text) const { tree_.write(file, text); }
  std::filesystem::path tree() const { return tree_.path(); }
  void md(const std::string& file, const std::string& text) const { tree_.write("sys/block/md0/md/" + file, text); }

  results::CheckRun run(const char* fault = "", const std::vector<std::string>& more = {}) const {
    setenv("MUSTER_FAULT", fault, 1);
    std::vector<std::string> options = {"--path", folder_.path().string(), "--size", "64M", "--seconds", "0.5"};
    options.insert(options.end(), more.begin(), more.end());
    return checked(tree_.path(), "generic", {.options = options});
  }
  std::string path() const { return folder_.path().string(); }
  results::Labels here() const { return {{"path", path()}}; }

 private:
  DiskFolder folder_;
  TemporaryFolder tree_;
};

// What is no fault, and so does not turn red with a judge that always passes.
class DiskPeersOtherwise : public DiskPeersFaults {};

TEST_F(DiskPeersOtherwise, TwoFoldersOfOneDriveAreNoSiblings) {
  lies_on("sda");
  const auto one = run("", {"--path", path()});
  EXPECT_EQ(one.outcome, results::Outcome::skipped);
  EXPECT_EQ(one.reason, "one drive has no siblings");
}

TEST_F(DiskPeersFaults, ADriveThatCountedNothingDidNotAnswer) {
  expect_fault(run(), Status::unknown, "disk_not_direct", {{"drive", "sd3"}, {"pattern", "random_read"}});
}

TEST_F(DiskPeersFaults, AReadThatFails) { expect_fault(run("read_error"), Status::fail, "disk_io_error", here()); }

TEST_F(DiskPeersFaults, ABitThatIsNotWhatWasWritten) {
  const auto broken = run("one_flipped_stamp");
  expect_fault(broken, Status::fail, "disk_corrupts", here());
  std::set<std::string> drives;
  for (const auto& verdict : broken.verdicts)
    if (verdict.fault == "disk_corrupts" && verdict.labels.contains("drive")) drives.insert(verdict.labels.at("drive"));
  EXPECT_EQ(drives.size(), 1U);
}

TEST_F(DiskPeersFaults, ADriveThatNobodyMayRead) {
  for (const auto* drive : {"nvme7", "nvme8"}) {
    write(fmt::format("sys/class/nvme/{}/serial", drive), fmt::format("of {}", drive));
    write(fmt::format("sys/class/nvme/{0}/{0}n1/size", drive), "8");
  }
  const auto unknown = checked(tree(), "generic", {.allow_raw_read = true});
  expect_fault(unknown, Status::unknown, "disk_not_measured", {{"drive", "nvme7"}, {"serial", "of nvme7"}});
  EXPECT_NE(unknown.reason.find("/dev/nvme8n1: cannot open"), std::string::npos) << unknown.reason;
}

TEST_F(DiskPeersFaults, WhereBtrfsPutsAFileOnAnArrayIsNotKnown) {
  lies_on_filesystem("btrfs");
  const auto unknown = run();
  expect_fault(unknown, Status::unknown, "disk_not_measured", here());
  EXPECT_NE(unknown.reason.find("btrfs does not tell"), std::string::npos) << unknown.reason;
}

TEST_F(DiskPeersFaults, ParityLeavesNoDriveAlone) {
  md("level", "raid5");
  const auto unknown = run();
  expect_fault(unknown, Status::unknown, "disk_not_measured", here());
  EXPECT_NE(unknown.reason.find("level raid5"), std::string::npos) << unknown.reason;
}

}  // namespace
}  // namespace muster::tests
