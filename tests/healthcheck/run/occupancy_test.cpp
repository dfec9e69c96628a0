// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/occupancy.hpp"

#include <gtest/gtest.h>

namespace muster::healthcheck {
namespace {

constexpr int muster = 100;

LoadSnapshot look(double seconds, double busy, std::vector<topology::Process> processes) {
  return {.when = std::chrono::steady_clock::time_point(
              std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds))),
          .busy_seconds = busy,
          .processes = std::move(processes)};
}

topology::Process process(int pid, int parent, std::string name, double cpu_seconds) {
  return {.pid = pid, .parent = parent, .state = 'R', .name = std::move(name), .cpu_seconds = cpu_seconds};
}

std::string in_use(const LoadSnapshot& before, const LoadSnapshot& after, std::size_t cpus, int self) {
  return healthcheck::in_use(foreign(before, after, self), cpus);
}

TEST(InUse, NamesTheProcessesThatKeepTheMachineBusy) {
  const LoadSnapshot before = look(10, 500, {process(4242, 1, "stress", 70), process(7, 1, "idle", 3)});
  const LoadSnapshot after = look(10.5, 501, {process(4242, 1, "stress", 70.99), process(7, 1, "idle", 3)});
  EXPECT_EQ(in_use(before, after, 2, muster), "stress (pid 4242, 198 % of a core)");
}

TEST(InUse, IsEmptyWhenAtMostHalfOfTheCpusAreBusy) {
  const LoadSnapshot before = look(0, 0, {process(5, 1, "make", 0)});
  EXPECT_EQ(in_use(before, look(1, 1, {process(5, 1, "make", 1)}), 2, muster), "");
  EXPECT_NE(in_use(before, look(1, 1.1, {process(5, 1, "make", 1.1)}), 2, muster), "");
}

TEST(InUse, DoesNotCountItselfAndItsChildren) {
  const LoadSnapshot before = look(0, 0, {process(muster, 1, "muster", 0), process(101, muster, "muster-guard", 0)});
  const LoadSnapshot after = look(1, 2,
                                  {process(muster, 1, "muster", 1), process(101, muster, "muster-guard", 0.5),
                                   process(102, 101, "muster-limits", 0.5)});
  EXPECT_EQ(in_use(before, after, 2, muster), "");
}

TEST(InUse, CountsAProcessThatStartedMeanwhile) {
  EXPECT_EQ(in_use(look(0, 0, {}), look(1, 2, {process(9, 1, "cc1plus", 1)}), 2, muster),
            "cc1plus (pid 9, 100 % of a core)");
}

TEST(InUse, SaysSoWhenTheUsersCannotBeSeen) {
  EXPECT_EQ(in_use(look(0, 0, {}), look(1, 1.8, {}), 2, muster),
            "processes that cannot be seen from here (1.8 of 2 CPUs)");
}

TEST(InUse, NamesAtMostThreeMostFirstInPrintableWords) {
  const LoadSnapshot after = look(1, 4,
                                  {process(1, 0, "a", 0.5), process(2, 1, "b\xff", 2), process(3, 1, "c", 1),
                                   process(4, 1, "d", 0.4), process(5, 1, "e", 0.05)});
  EXPECT_EQ(in_use(look(0, 0, {}), after, 4, muster),
            "b? (pid 2, 200 % of a core), c (pid 3, 100 % of a core), a (pid 1, 50 % of a core)");
}

TEST(IsIdle, WhereOthersDoLittle) {
  EXPECT_TRUE(is_idle(foreign(look(0, 0, {}), look(1, 0.4, {}), muster), 2));
  EXPECT_FALSE(is_idle(foreign(look(0, 0, {}), look(1, 0.5, {}), muster), 2));
  EXPECT_TRUE(is_idle(foreign(look(0, 0, {}), look(1, 2, {process(muster, 1, "muster", 2)}), muster), 2))
      << "all of it own";
}

}  // namespace
}  // namespace muster::healthcheck
