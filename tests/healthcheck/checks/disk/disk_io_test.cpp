// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/checked.hpp"
#include "tests/support/disk.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using results::Labels;
using results::Status;

// This machine's own disk, by queues that fail as they are told to.
class DiskIoFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = folder_.why_no_disk(); !why.empty()) GTEST_SKIP() << why;
  }
  void TearDown() override {
    unsetenv("MUSTER_FAULT");
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }

  results::CheckRun run(const char* fault = "", const std::vector<std::string>& more = {},
                        healthcheck::Context::Record seen = {}) const {
    setenv("MUSTER_FAULT", fault, 1);
    std::vector<std::string> options = {"--path", folder_.path().string(), "--size", "64M", "--seconds", "0.5"};
    options.insert(options.end(), more.begin(), more.end());
    return checked("/", "generic", {.options = options, .seen = std::move(seen)});
  }
  Labels here() const { return {{"path", folder_.path().string()}}; }

 private:
  DiskFolder folder_;
};

// What is no fault, and so does not turn red with a judge that always passes.
class DiskIoOtherwise : public DiskIoFaults {};

TEST_F(DiskIoOtherwise, AHealthyDiskIsNotAccused) { expect_healthy(run()); }

TEST_F(DiskIoFaults, ThePageCacheIsNoDisk) {
  Labels reads = here();
  reads.emplace("pattern", "sequential_read");
  expect_fault(run("page_cache"), Status::unknown, "disk_not_direct", reads);
}

TEST_F(DiskIoFaults, AReadThatFails) {
  const auto broken = run("read_error");
  expect_fault(broken, Status::fail, "disk_io_error", here());
  expect_fault(broken, Status::unknown, "disk_not_measured", here());
}

// As of NFS, which reserves nothing: no fault of the disk.
TEST_F(DiskIoFaults, AWriteThatFindsNoSpace) {
  const auto full = run("no_space");
  expect_fault(full, Status::unknown, "disk_not_measured", here());
  EXPECT_EQ(std::ranges::find(full.measurements, "disk_io.errors", &results::Measurement::metric),
            full.measurements.end());
}

TEST_F(DiskIoFaults, ABitThatIsNotWhatWasWritten) {
  expect_fault(run("flipped_bit"), Status::fail, "disk_corrupts", here());
}

TEST_F(DiskIoFaults, AWriteThatIsLost) { expect_fault(run("lost_write"), Status::fail, "disk_corrupts", here()); }

TEST_F(DiskIoFaults, MemoryIsNoDisk) {
  if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "this machine has no /dev/shm";
  const auto run = checked("/", "generic", {.options = {"--path", "/dev/shm"}});
  expect_fault(run, Status::unknown, "disk_not_measured", {{"path", "/dev/shm"}});
}

// The folder that can be measured is, and the other is named.
TEST_F(DiskIoFaults, OneFolderOfTwoIsNoDisk) {
  if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "this machine has no /dev/shm";
  const auto two = run("", {"--path", "/dev/shm"});
  expect_fault(two, Status::unknown, "disk_not_measured", {{"path", "/dev/shm"}});
  const auto verified = std::ranges::find(two.measurements, "disk_io.wrong_blocks", &results::Measurement::metric);
  ASSERT_NE(verified, two.measurements.end());
  EXPECT_EQ(verified->labels.at("path"), here().at("path"));
}

// An OS disk is not held against what the profile expects of its array.
TEST_F(DiskIoFaults, NoScratchDiskOfTheProfileIsMounted) {
  const TemporaryFolder profiles;
  profiles.write("own.json", R"({"name": "own", "description": "d", "extends": "generic",
                                 "scratch_mounts": ["/nowhere/scratch"], "expectations": []})");
  const auto run = checked("/", (profiles.path() / "own.json").string());
  expect_fault(run, Status::unknown, "disk_not_measured", {});
  EXPECT_TRUE(run.reason.starts_with("no scratch disk is mounted at /nowhere/scratch; ")) << run.reason;
}

TEST_F(DiskIoOtherwise, ItsPhaseNamesTheFolder) {
  std::set<std::string> phases;
  run("", {}, [&](const results::CheckRun& now) { phases.insert(now.phase); });
  const auto here_is = here().at("path") + ": ";
  for (const auto& phase : {here_is + "random write, depth 64", here_is + "checkpoint", std::string()})
    EXPECT_TRUE(phases.contains(phase)) << phase;
}

TEST_F(DiskIoFaults, AFileThatWouldFillTheDisk) {
  expect_fault(run("", {"--reserve", "1000T"}), Status::unknown, "disk_not_measured", here());
}

}  // namespace
}  // namespace muster::tests
