// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "results/system/descriptor.hpp"
#include "tests/support/alone.hpp"
#include "tests/support/capabilities.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"

namespace muster::tests {
namespace {

using results::Status;

// A small system tree that nothing is wrong with; its dev/shm is as large as the temporary folder's disk.
class LimitsTree {
 public:
  LimitsTree() {
    folder_.write("proc/meminfo",
                  "MemTotal:       1000000 kB\nMemAvailable:    900000 kB\nSwapTotal:             0 kB\n");
    folder_.write("proc/self/cgroup", "0::/\n");
    folder_.write("proc/self/mountinfo", "35 22 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    folder_.write("sys/fs/cgroup/cgroup.controllers", "memory\n");
    folder_.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    std::filesystem::create_directories(folder_.path() / "dev/shm");
  }
  void write(const std::filesystem::path& file, std::string_view text) const { folder_.write(file, text); }
  results::CheckRun checked() const { return tests::checked(folder_.path()); }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

void lower(int resource, rlim_t value) {
  const rlimit limit{.rlim_cur = value, .rlim_max = value};
  ASSERT_EQ(setrlimit(static_cast<__rlimit_resource>(resource), &limit), 0);
}

bool may_mount() { return geteuid() == 0; }

TEST(LimitsFaults, little_lockable_memory) {
  alone([] {
    const LimitsTree tree;
    lower(RLIMIT_MEMLOCK, 8U << 20);
    ASSERT_TRUE(drop_capabilities());  // root may lock memory whatever its limit is
    expect_fault(tree.checked(), Status::warn, "memlock_too_low", {{"host", "tested"}});
  });
}

TEST(LimitsFaults, little_lockable_memory_fails_a_gpu_node) {
  alone([] {
    const LimitsTree tree;
    lower(RLIMIT_MEMLOCK, 64U << 10);
    ASSERT_TRUE(drop_capabilities());  // root may lock memory whatever its limit is
    expect_fault(checked(tree.path(), "nd96isr_h100_v5"), Status::fail, "memlock_too_low", {{"host", "tested"}});
  });
}

TEST(LimitsFaults, few_open_files) {
  alone([] {
    const LimitsTree tree;
    lower(RLIMIT_NOFILE, 256);
    expect_fault(tree.checked(), Status::fail, "open_files_too_low", {{"host", "tested"}});
  });
}

TEST(LimitsFaults, small_shared_memory) {
  if (!may_mount()) GTEST_SKIP() << "mounting needs root";
  alone([] {
    const LimitsTree tree;
    ASSERT_EQ(unshare(CLONE_NEWNS), 0);
    // In a changed root "/" is no mount, and whoever changed it has seen to this.
    ASSERT_TRUE(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 || errno == EINVAL);
    ASSERT_EQ(mount("shm", (tree.path() / "dev/shm").c_str(), "tmpfs", 0, "size=64m"), 0);
    const auto run = tree.checked();
    umount((tree.path() / "dev/shm").c_str());
    expect_fault(run, Status::warn, "shm_too_small", {{"path", "dev/shm"}});
  });
}

TEST(LimitsFaults, shared_memory_that_a_dead_job_keeps) {
  if (!may_mount()) GTEST_SKIP() << "mounting needs root";
  alone([] {
    const LimitsTree tree;
    const auto place = tree.path() / "dev/shm";
    ASSERT_EQ(unshare(CLONE_NEWNS), 0);
    ASSERT_TRUE(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 || errno == EINVAL);
    ASSERT_EQ(mount("shm", place.c_str(), "tmpfs", 0, "size=1100m"), 0);
    expect_healthy(tree.checked());
    const results::Descriptor left(open((place / "nccl-7bQ3aZ").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    ASSERT_EQ(posix_fallocate(left.number(), 0, 200 << 20), 0);
    const auto run = tree.checked();
    umount2(place.c_str(), MNT_DETACH);
    expect_fault(run, Status::warn, "shm_full", {{"path", "dev/shm"}, {"largest", "nccl-7bQ3aZ 210 MB"}});
  });
}

TEST(LimitsFaults, no_shared_memory) {
  const LimitsTree tree;
  std::filesystem::remove(tree.path() / "dev/shm");
  expect_fault(tree.checked(), Status::warn, "shm_too_small", {{"path", "dev/shm"}});
}

TEST(LimitsFaults, a_cgroup_that_leaves_no_reserve) {
  const LimitsTree tree;
  tree.write("sys/fs/cgroup/memory.max", "1013760000\n");  // 99 % of the tree's memory
  expect_fault(tree.checked(), Status::warn, "memory_reserve_missing", {{"host", "tested"}});
}

TEST(LimitsFaults, swap_is_on) {
  const LimitsTree tree;
  tree.write("proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 900000 kB\nSwapTotal: 2097148 kB\n");
  expect_fault(tree.checked(), Status::warn, "swap_on", {{"host", "tested"}});
}

TEST(LimitsFaults, huge_pages_are_off) {
  const LimitsTree tree;
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  expect_fault(tree.checked(), Status::warn, "huge_pages_off", {{"host", "tested"}});
}

TEST(LimitsFaults, a_memory_file_of_rubbish) {
  const LimitsTree tree;
  tree.write("proc/meminfo", "no memory here\n");
  expect_fault(tree.checked(), Status::unknown, "could_not_measure", {{"host", "tested"}});
}

TEST(LimitsHealthy, stays_green) {
  if (!may_mount()) GTEST_SKIP() << "locking 1 GiB needs root or a raised limit";
  expect_healthy(LimitsTree().checked());
}

TEST(LimitsHealthy, a_cgroup_that_leaves_the_reserve_stays_green) {
  if (!may_mount()) GTEST_SKIP() << "locking 1 GiB needs root or a raised limit";
  const LimitsTree tree;
  tree.write("sys/fs/cgroup/memory.max", "901120000\n");  // 88 % of the tree's memory
  expect_healthy(tree.checked());
}

}  // namespace
}  // namespace muster::tests
