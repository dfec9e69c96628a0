// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/usable_cpus.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/alone.hpp"
#include "tests/support/files.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

namespace fs = std::filesystem;

UsableCpus cpus_of(const std::string& machine) {
  return usable_cpus(Sysfs(tests::source_folder() / "tests/machines" / machine));
}

TEST(UsableCpus, AreRightToTheCoreInContainersOfBothKinds) {
  EXPECT_EQ(cpus_of("cgroup_v1").cores(), 4U);
  EXPECT_EQ(cpus_of("cgroup_v2").cores(), 4U);
  const auto two = cpus_of("container_2_of_96");
  EXPECT_EQ(two.allowed, (std::vector<int>{10, 11}));
  EXPECT_EQ(two.quota, 2);
  EXPECT_EQ(two.cores(), 2U);
}

TEST(UsableCpus, AreAllWhereNothingLimitsThem) {
  EXPECT_EQ(cpus_of("ndv5").cores(), 96U);
  EXPECT_EQ(cpus_of("ndv5").quota, std::nullopt);
}

struct Limits {
  std::string affinity;
  std::string cpu_max;
  std::size_t cores;
};

class UsableCpusOfAContainer : public testing::TestWithParam<Limits> {};

TEST_P(UsableCpusOfAContainer, AreWholeCores) {
  const tests::TemporaryFolder tree;
  tree.write("sys/devices/system/cpu/online", "0-95\n");
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("proc/self/mountinfo", "35 22 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  if (!GetParam().affinity.empty()) tree.write("proc/self/status", "Cpus_allowed_list:\t" + GetParam().affinity + "\n");
  if (!GetParam().cpu_max.empty()) tree.write("sys/fs/cgroup/cpu.max", GetParam().cpu_max + "\n");
  EXPECT_EQ(usable_cpus(Sysfs(tree.path())).cores(), GetParam().cores);
}

INSTANTIATE_TEST_SUITE_P(OfVersionTwo, UsableCpusOfAContainer,
                         testing::Values(Limits{"0-95", "200000 100000", 2}, Limits{"0-95", "250000 100000", 2},
                                         Limits{"0-95", "50000 100000", 1}, Limits{"0-95", "max 100000", 96},
                                         Limits{"0-95", "", 96}, Limits{"3", "200000 100000", 1},
                                         Limits{"3,7-9", "max 100000", 4}, Limits{"", "", 96},
                                         Limits{"90-127", "max 100000", 6}, Limits{"0-95", "9600000 100000", 96}));

TEST(UsableCpus, ADamagedLimitIsAnErrorThatNamesTheFile) {
  const tests::TemporaryFolder tree;
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("proc/self/mountinfo", "35 22 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("sys/fs/cgroup/cpu.max", "many\n");
  try {
    usable_cpus(Sysfs(tree.path()));
    FAIL() << "it was understood";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sys/fs/cgroup/cpu.max"), std::string::npos) << error.what();
  }
}

// A control group of this machine with a quota, which is gone with its object.
class RealGroup {
 public:
  RealGroup() {
    const auto name = "muster_test_" + std::to_string(getpid());
    const fs::path root = "/sys/fs/cgroup";
    const bool is_second = fs::exists(root / "cgroup.controllers");
    folder_ = is_second ? root / name : root / "cpu" / name;
    limits_ = is_second ? "cpu.max" : "cpu.cfs_quota_us";
    std::error_code error;
    fs::create_directory(folder_, error);
  }
  ~RealGroup() {
    std::error_code error;
    fs::remove(folder_, error);
  }
  RealGroup(const RealGroup&) = delete;
  RealGroup& operator=(const RealGroup&) = delete;

  bool has_quota() const { return fs::exists(folder_ / limits_); }
  void give(int microseconds_of_100000) const { std::ofstream(folder_ / limits_) << microseconds_of_100000; }
  void enter() const { std::ofstream(folder_ / "cgroup.procs") << getpid(); }

 private:
  fs::path folder_;
  std::string limits_;
};

TEST(UsableCpus, AreRightInARealControlGroup) {
  const RealGroup group;
  if (geteuid() != 0 || !group.has_quota()) GTEST_SKIP() << "making a control group with a quota needs root";
  const auto all = usable_cpus(Sysfs()).allowed.size();
  tests::alone([&] {
    group.enter();
    group.give(100'000);
    EXPECT_EQ(usable_cpus(Sysfs()).quota, 1);
    EXPECT_EQ(usable_cpus(Sysfs()).cores(), 1U);
    group.give(250'000);
    EXPECT_EQ(usable_cpus(Sysfs()).cores(), std::min<std::size_t>(all, 2));
  });
}

TEST(CpuKinds, AreThoseOfHybridProcessors) {
  const tests::TemporaryFolder tree;
  tree.write("sys/devices/system/cpu/online", "0-3\n");
  EXPECT_TRUE(cpu_kinds(Sysfs(tree.path())).empty());
  tree.write("sys/devices/cpu_core/cpus", "0-1\n");
  tree.write("sys/devices/cpu_atom/cpus", "2-3\n");
  EXPECT_EQ(cpu_kinds(Sysfs(tree.path())),
            (std::map<int, std::string>{{0, "cpu_core"}, {1, "cpu_core"}, {2, "cpu_atom"}, {3, "cpu_atom"}}));
}

TEST(CpuKinds, AreByCapacityElsewhereAndNoneWhereAllAreAlike) {
  const tests::TemporaryFolder tree;
  tree.write("sys/devices/system/cpu/online", "0-1\n");
  tree.write("sys/devices/system/cpu/cpu0/cpu_capacity", "1024\n");
  tree.write("sys/devices/system/cpu/cpu1/cpu_capacity", "1024\n");
  EXPECT_TRUE(cpu_kinds(Sysfs(tree.path())).empty());
  tree.write("sys/devices/system/cpu/cpu1/cpu_capacity", "446\n");
  EXPECT_EQ(cpu_kinds(Sysfs(tree.path())), (std::map<int, std::string>{{0, "1024"}, {1, "446"}}));
}

}  // namespace
}  // namespace muster::topology
