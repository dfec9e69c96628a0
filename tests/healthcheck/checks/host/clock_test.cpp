// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/support/checked.hpp"
#include "tests/support/files.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/cpu/usable_cpus.hpp"

namespace muster::tests {
namespace {

using results::Status;

const Given preflight{.tier = results::Tier::preflight};
const std::string node = "nd96isr_h100_v5";

// A tree whose clock is healthy, and the clocks of tests/support/faulty_clock.cpp.
class ClockFaults : public testing::Test {
 protected:
  ClockFaults() {
    set_source("tsc");
    tree_.write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n");
    const auto cpus = topology::usable_cpus(topology::Sysfs()).allowed;
    count_ = cpus.size();
    tree_.write("sys/devices/system/cpu/online", topology::to_text(cpus) + "\n");
  }
  void TearDown() override { unsetenv("MUSTER_FAULT"); }

  void set_source(const std::string& source) const {
    tree_.write("sys/devices/system/clocksource/clocksource0/current_clocksource", source + "\n");
  }
  static void inject(const char* fault) { setenv("MUSTER_FAULT", fault, 1); }
  results::CheckRun run(std::string_view profile = "generic") const {
    return checked(tree_.path(), profile, preflight);
  }

  TemporaryFolder tree_;
  std::size_t count_ = 0;
};

class ClockHealthy : public ClockFaults {};

TEST_F(ClockFaults, ASourceThatTheKernelFellBackTo) {
  for (const auto* source : {"hpet", "acpi_pm", "jiffies"}) {
    set_source(source);
    expect_fault(run(), Status::warn, "clock_source_slow", {{"host", "tested"}});
    expect_fault(run(node), Status::fail, "clock_source_slow", {{"host", "tested"}});
  }
}

TEST_F(ClockFaults, NoSynchronisation) {
  inject("unsynchronised");
  expect_fault(run(node), Status::warn, "clock_unsynchronised", {{"host", "tested"}});
}

TEST_F(ClockFaults, AKernelThatDoesNotTell) {
  inject("adjtimex_refused");
  expect_fault(run(node), Status::unknown, "check_error", {{"host", "tested"}});
}

TEST_F(ClockFaults, AClockThatIsSlowToRead) {
  inject("slow_reading");
  expect_fault(run(), Status::warn, "clock_reading_slow", {{"host", "tested"}});
}

TEST_F(ClockFaults, ACounterThatChangesItsRate) {
  inject("counter_speeds_up");
  expect_fault(run(), Status::fail, "clock_counters_differ", {{"host", "tested"}});
}

TEST_F(ClockFaults, CountersOfTwoCpusThatAreApart) {
  if (count_ < 2) GTEST_SKIP() << "one CPU has one counter";
  inject("counters_apart");
  expect_fault(run(), Status::fail, "clock_counters_differ", {{"host", "tested"}});
}

TEST_F(ClockFaults, ANodeThatDoesNotTellItsSource) {
  std::filesystem::remove_all(tree_.path() / "sys/devices/system/clocksource");
  expect_fault(run(node), Status::fail, "not_measured", {{"host", "tested"}});
}

TEST_F(ClockHealthy, StaysGreen) {
  expect_healthy(run());
  expect_healthy(run(node));
}

TEST_F(ClockHealthy, StaysGreenWithoutACounterThatIsAClock) {
  inject("no_counter");
  expect_healthy(run());
  inject("");
  tree_.write("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc\n");
  const auto run = this->run();
  expect_healthy(run);
  EXPECT_TRUE(std::ranges::none_of(run.measurements,
                                   [](const auto& fact) { return fact.metric.starts_with("clock.counter"); }));
}

}  // namespace
}  // namespace muster::tests
