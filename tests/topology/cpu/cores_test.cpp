// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cores.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/files.hpp"

namespace muster::topology {
namespace {

class Cores : public testing::Test {
 protected:
  void online(const std::string& list) { tree_.write("sys/devices/system/cpu/online", list + "\n"); }
  void topology(int cpu, const std::string& file, const std::string& list) {
    tree_.write(fmt::format("sys/devices/system/cpu/cpu{}/{}", cpu, file), list + "\n");
  }
  void node(int number, const std::string& list) {
    tree_.write(fmt::format("sys/devices/system/node/node{}/cpulist", number), list + "\n");
  }
  std::vector<Core> found() const { return cores(Sysfs(tree_.path())); }

  tests::TemporaryFolder tree_;
};

TEST_F(Cores, AreCpusWhereTheKernelTellsNoThreads) {
  online("0-1");
  EXPECT_EQ(found(), (std::vector<Core>{{{0}, 0}, {{1}, 0}}));
}

TEST_F(Cores, HaveTheThreadsThatAreOnline) {
  online("0-2");
  for (const int cpu : {0, 2}) topology(cpu, "topology/thread_siblings_list", "0,2");
  for (const int cpu : {1, 3}) topology(cpu, "topology/thread_siblings_list", "1,3");
  EXPECT_EQ(found(), (std::vector<Core>{{{0, 2}, 0}, {{1}, 0}}));
}

TEST_F(Cores, StandByNodeAndNotByNumber) {
  online("0-3");
  node(0, "0,2");
  node(1, "1,3");
  EXPECT_EQ(found(), (std::vector<Core>{{{0}, 0}, {{2}, 0}, {{1}, 1}, {{3}, 1}}));
}

TEST_F(Cores, StandByPackageBeforeNode) {
  online("0-3");
  for (int cpu = 0; cpu < 4; ++cpu) {
    node(cpu, std::to_string(cpu));
    topology(cpu, "topology/package_cpus_list", cpu % 2 == 0 ? "0,2" : "1,3");
  }
  EXPECT_EQ(found(), (std::vector<Core>{{{0}, 0}, {{2}, 2}, {{1}, 1}, {{3}, 3}}));
}

TEST_F(Cores, StandBySharedCacheInANode) {
  online("0-3");
  for (int cpu = 0; cpu < 4; ++cpu) topology(cpu, "cache/index3/shared_cpu_list", cpu % 2 == 0 ? "0,2" : "1,3");
  EXPECT_EQ(found(), (std::vector<Core>{{{0}, 0}, {{2}, 0}, {{1}, 0}, {{3}, 0}}));
}

TEST_F(Cores, AreNoneWhereNothingIsToldOfCpus) {
  tree_.write("proc/mounts", "");
  EXPECT_TRUE(found().empty());
}

}  // namespace
}  // namespace muster::topology
