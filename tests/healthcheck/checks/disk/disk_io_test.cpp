// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "benchmarks/error.hpp"
#include "healthcheck/parts/disk/disk_target.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/disk.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using results::Labels;
using results::Status;

// As the kernel writes a path between spaces.
std::string as_in_mountinfo(std::string path) {
  for (auto at = path.find(' '); at != std::string::npos; at = path.find(' ')) path.replace(at, 1, "\\040");
  return path;
}

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

TEST_F(DiskIoOtherwise, TheSlowestOfTenThousandIsNotToldOfFewer) {
  const auto looked = run();
  std::size_t told = 0;
  for (const auto& fact : looked.measurements) {
    if (fact.metric != "disk_io.latency" || fact.labels.at("pattern") != "sequential_write") continue;
    const auto* text = std::get_if<std::string>(&fact.value);
    EXPECT_EQ(text != nullptr, fact.labels.at("percentile") == "p99.99") << results::to_text(fact.value);
    ++told;
  }
  EXPECT_GE(told, 5U);
}

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

TEST_F(DiskIoFaults, WrongDataAreNamedThoughTheDiskThenFails) {
  const auto broken = run("one_flipped_stamp_then_errors");
  expect_fault(broken, Status::fail, "disk_corrupts", here());
  expect_fault(broken, Status::fail, "disk_io_error", here());
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

// What a profile expects of its scratch disks is of nothing else.
TEST_F(DiskIoFaults, OnlyAScratchDiskIsHeldAgainstWhatIsExpectedOfOne) {
  const auto mount = healthcheck::place_at(topology::Sysfs(), here().at("path")).mount;
  const TemporaryFolder profiles;
  const auto run_with = [&](const std::string& scratch) {
    profiles.write("own.json", R"({"name": "own", "description": "d", "extends": "generic", "scratch_mounts": [")" +
                                   scratch + R"("], "expectations": [
      { "check": "disk_io", "metric": "disk_io.file_size", "labels": { "scratch": "yes" },
        "bound": "at_least", "unit": "B", "pass": 1e15, "fail": 1e14, "optional": true, "tier": "quick",
        "fault": "disk_slow", "source": "this test", "date": "2026-11-24" }]})");
    return checked("/", (profiles.path() / "own.json").string(),
                   {.options = {"--path", here().at("path"), "--size", "64M", "--seconds", "0.5"}});
  };
  expect_fault(run_with(mount), Status::fail, "disk_slow", here());
  expect_healthy(run_with("/nowhere"));
}

TEST_F(DiskIoOtherwise, AScratchDiskThatIsMountedTwiceIsMeasuredOnce) {
  const TemporaryFolder tree;
  const TemporaryFolder again(here().at("path"));
  std::string mounts;
  std::string points;
  for (const auto& point : {here().at("path"), again.path().string()}) {
    mounts += fmt::format("1 0 8:1 / {} rw - ext4 /dev/sda1 rw\n", as_in_mountinfo(point));
    points += fmt::format("{}\"{}\"", points.empty() ? "" : ", ", point);
  }
  tree.write("proc/self/mountinfo", mounts);
  tree.write("own.json", fmt::format(R"({{"name": "own", "description": "d", "extends": "generic",
                                          "scratch_mounts": [{}], "expectations": []}})",
                                     points));
  const auto run =
      checked(tree.path(), (tree.path() / "own.json").string(), {.options = {"--size", "64M", "--seconds", "0.5"}});
  EXPECT_EQ(std::ranges::count(run.measurements, "disk_io.file_size", &results::Measurement::metric), 1);
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

class Places : public testing::Test {
 protected:
  // sda with two partitions, and md0 of the second and of sdb.
  Places() {
    for (const std::string device : {"sda", "sda/sda1", "sda/sda2", "sdb", "md0"}) {
      const auto name = device.substr(device.find('/') + 1);
      tree_.write("sys/devices/" + device + "/dev", "8:0");
      if (name != device) tree_.write("sys/devices/" + device + "/partition", "1");
      link("../../devices/" + device, "sys/class/block/" + name);
    }
    for (const auto* below : {"sda2", "sdb"})
      tree_.write(std::string("sys/devices/md0/slaves/") + below + "/dev", "8:0");
  }

  void link(const std::string& target, const std::string& path) const {
    std::filesystem::create_directories((tree_.path() / path).parent_path());
    std::filesystem::create_symlink(target, tree_.path() / path);
  }

  // Their paths, of folders on these devices.
  std::vector<std::vector<std::string>> groups(const std::vector<std::string>& devices) const {
    std::vector<healthcheck::DiskTarget> places;
    for (const auto& device : devices) {
      if (!std::filesystem::exists(tree_.path() / "sys/dev/block" / device))
        link("../../class/block/" + device, "sys/dev/block/" + device);
      places.push_back({.path = device, .mount = {}, .filesystem = {}, .device = device, .labels = {}});
    }
    std::vector<std::vector<std::string>> found;
    for (const auto& group : healthcheck::by_drives(topology::Sysfs(tree_.path()), places)) {
      found.emplace_back();
      for (const auto& place : group) found.back().push_back(place.path);
    }
    return found;
  }

  TemporaryFolder tree_;
};

TEST_F(Places, OfOneDriveAreMeasuredOneAfterTheOther) {
  using Groups = std::vector<std::vector<std::string>>;
  EXPECT_EQ(groups({"sda1", "sdb", "sda2"}), (Groups{{"sdb"}, {"sda1", "sda2"}}));
  EXPECT_EQ(groups({"sda1", "sdb", "md0"}), (Groups{{"sda1", "sdb", "md0"}}));
}

TEST_F(Places, AreOnADiskOfThisMachineOrNamed) {
  const topology::Sysfs sysfs(tree_.path());
  for (const auto* filesystem : {"nfs4", "fuse.blobfuse2", "zfs"}) {
    healthcheck::DiskTarget place{
        .path = "/a", .mount = "/a", .filesystem = filesystem, .device = "0:40", .labels = {}};
    EXPECT_NO_THROW(healthcheck::expect_disk(sysfs, place));
    place.named = false;
    EXPECT_EQ(healthcheck::is_remote(place), filesystem != std::string("zfs"));
    if (healthcheck::is_remote(place)) {
      EXPECT_THROW(healthcheck::expect_disk(sysfs, place), benchmarks::Error);
    }
  }
}

TEST_F(Places, WhereTheKernelCountsNothingNobodyCanTell) {
  tree_.write("sys/devices/sda/stat", "0 0 8 0 0 0 8 0 0 0 0");
  tree_.write("sys/devices/sda/sda1/stat", "0 0 8 0 0 0 8 0 0 0 0");
  for (const std::string device : {"sda", "sda1"}) {
    link("../../class/block/" + device, "sys/dev/block/" + device);
    const topology::Sysfs sysfs(tree_.path());
    const auto share = [&] {
      return healthcheck::DeviceBytes(sysfs, device).share_of(benchmarks::disk::Direction::read, 4096);
    };
    tree_.write("sys/devices/sda/queue/iostats", "1\n");
    EXPECT_TRUE(std::holds_alternative<results::Quantity>(share())) << results::to_text(share());
    tree_.write("sys/devices/sda/queue/iostats", "0\n");
    EXPECT_TRUE(std::holds_alternative<std::string>(share()));
  }
}

}  // namespace
}  // namespace muster::tests
