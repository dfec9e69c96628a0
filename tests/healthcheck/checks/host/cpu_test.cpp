// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "healthcheck/program/thread_variables.hpp"
#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"
#include "topology/cpu/usable_cpus.hpp"

namespace muster::tests {
namespace {

using results::Status;

const Given preflight{.tier = results::Tier::preflight};

// A container with two cores of 96, to break in one place.
class CpuFaults : public testing::Test {
 protected:
  void SetUp() override {
    forget();
    copy_machine("container_2_of_96", tree_);
  }
  void TearDown() override { forget(); }

  results::CheckRun run(std::string_view profile = "generic") const {
    return checked(tree_.path(), profile, preflight);
  }
  void add_governor(int cpu, const std::string& governor) const {
    const auto folder = "sys/devices/system/cpu/cpufreq/policy" + std::to_string(cpu);
    tree_.write(folder + "/scaling_governor", governor + "\n");
    tree_.write(folder + "/affected_cpus", std::to_string(cpu) + "\n");
  }

  TemporaryFolder tree_;

 private:
  static void forget() {
    for (const auto* variable : healthcheck::thread_variables) unsetenv(variable);
  }
};

class CpuHealthy : public CpuFaults {};

TEST_F(CpuFaults, ThreadsForTheCoresOfTheWholeMachine) {
  for (const auto* variable : healthcheck::thread_variables) {
    setenv(variable, "96", 1);
    expect_fault(run(), Status::warn, "threads_exceed_cores", {{"variable", variable}});
  }
}

TEST_F(CpuFaults, NoVariableAndAnAffinityOfMoreThanTheQuota) {
  tree_.write("proc/self/status", "Cpus_allowed_list:\t0-95\n");
  tree_.write("sys/fs/cgroup/cpuset.cpus.effective", "0-95\n");
  expect_fault(run(), Status::warn, "threads_exceed_cores", {{"variable", "OMP_NUM_THREADS (not set)"}});
}

TEST_F(CpuFaults, AVariableThatIsNoNumber) {
  setenv("MKL_NUM_THREADS", "all", 1);
  expect_fault(run(), Status::unknown, "measurement_unusable", {{"variable", "MKL_NUM_THREADS"}});
}

TEST_F(CpuFaults, AGovernorUnlikeTheOthers) {
  for (int cpu = 0; cpu < 4; ++cpu) add_governor(cpu, cpu == 2 ? "powersave" : "performance");
  expect_fault(run(), Status::warn, "cpu_governor_differs", {{"cpus", "2"}});
}

TEST_F(CpuFaults, ADamagedQuota) {
  tree_.write("sys/fs/cgroup/cpu.max", "many\n");
  expect_fault(run(), Status::unknown, "kernel_file_unreadable", {{"path", "/sys/fs/cgroup/cpu.max"}});
}

TEST_F(CpuFaults, HyperThreadingOnANodeWhoseKindHasNone) {
  tree_.write("sys/devices/system/cpu/smt/control", "on\n");
  expect_fault(run("nd96isr_h100_v5"), Status::warn, "cpu_smt_on", {{"host", "tested"}});
}

TEST_F(CpuFaults, ASettingThatIsEmptyOrNoText) {
  add_governor(0, "performance");
  for (const auto* path :
       {"sys/devices/system/cpu/smt/control", "sys/devices/system/cpu/cpufreq/policy0/scaling_governor"})
    for (const auto* text : {"", "\x01on\n"}) {
      tree_.write(path, text);
      expect_fault(run(), Status::unknown, "kernel_file_unreadable", {{"path", path}});
    }
}

TEST_F(CpuHealthy, StaysGreenWithAThreadForEachCore) {
  expect_healthy(run());
  setenv("NUMEXPR_NUM_THREADS", "1", 1);
  for (int cpu = 0; cpu < 4; ++cpu) add_governor(cpu, "performance");
  for (const auto* threads : {"2,1", " 2 ", "", " "}) {
    setenv("OMP_NUM_THREADS", threads, 1);
    expect_healthy(run());
  }
}

TEST_F(CpuHealthy, StaysGreenWithoutControlGroups) {
  std::filesystem::remove_all(tree_.path() / "sys/fs/cgroup");
  expect_healthy(run());
}

// Threads that do nothing else than keep one CPU busy.
class Hogs {
 public:
  Hogs(int cpu, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      threads_.emplace_back([cpu](const std::stop_token& stop) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(cpu), &set);
        sched_setaffinity(0, sizeof set, &set);
        while (!stop.stop_requested()) {
        }
      });
  }

 private:
  std::vector<std::jthread> threads_;
};

bool is_fast_enough(const results::CheckRun& run) {
  return std::ranges::all_of(run.verdicts, [](const results::Verdict& verdict) {
    return verdict.metric != "cpu.speed" || verdict.status == Status::pass;
  });
}

TEST(CpuRateFaults, ACpuThatOthersUseIsNamedAndNotCalledSlow) {
  const auto cpus = topology::usable_cpus(topology::Sysfs()).allowed;
  const auto last = std::to_string(cpus.back());
  const Hogs hogs(cpus.back(), 3);
  const auto run = checked("/", "generic", preflight);
  expect_fault(run, Status::warn, "cpu_in_use", {{"cpu", last}});
  EXPECT_TRUE(is_fast_enough(run));
}

TEST(CpuRateFaults, ASlowCpuIsNamed) {
  const auto cpus = topology::usable_cpus(topology::Sysfs()).allowed;
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU has no siblings";
  const auto last = std::to_string(cpus.back());
  setenv("MUSTER_FAULT", "slow_cpu", 1);
  setenv("MUSTER_FAULT_DEVICE", last.c_str(), 1);
  const auto run = checked("/", "generic", preflight);
  unsetenv("MUSTER_FAULT_DEVICE");
  unsetenv("MUSTER_FAULT");
  expect_fault(run, Status::fail, "cpu_slow", {{"cpu", last}});
}

TEST(CpuRate, AllCpusOfThisMachineAreAlike) {
  const auto run = checked("/", "generic", preflight);
  EXPECT_TRUE(is_fast_enough(run));  // its share may be less where the kernel works too
  const auto speeds = std::ranges::count(run.measurements, "cpu.speed", &results::Measurement::metric);
  EXPECT_EQ(static_cast<std::size_t>(speeds), topology::usable_cpus(topology::Sysfs()).allowed.size());
}

}  // namespace
}  // namespace muster::tests
