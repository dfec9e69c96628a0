// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace muster::benchmarks::host {
namespace {

using std::chrono::milliseconds;

TEST(Team, CallsEveryThreadOnceInEachRound) {
  Team team(5);
  std::vector<int> calls(team.size());
  for (int round = 1; round <= 100; ++round) {
    team.run([&](std::size_t thread) { ++calls[thread]; });
    EXPECT_EQ(calls, std::vector<int>(5, round));
  }
}

TEST(Team, KeepsItsThreads) {
  Team team(2);
  std::vector<std::thread::id> first(2);
  std::vector<std::thread::id> second(2);
  team.run([&](std::size_t thread) { first[thread] = std::this_thread::get_id(); });
  team.run([&](std::size_t thread) { second[thread] = std::this_thread::get_id(); });
  EXPECT_EQ(first, second);
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(first[0], std::this_thread::get_id());
}

TEST(Team, MeasuresToTheSlowestEnd) {
  Team team(3);
  const auto time = team.run([](std::size_t thread) {
    if (thread == 1) std::this_thread::sleep_for(milliseconds(50));
  });
  EXPECT_GE(time, milliseconds(50));
}

TEST(Team, RunsAllThreadsAtTheSameTime) {
  Team team(4);
  std::atomic<int> arrived = 0;
  team.run([&](std::size_t) {
    ++arrived;
    while (arrived < 4) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 4);
}

TEST(Team, RethrowsOnceAllHaveEndedAndGoesOn) {
  Team team(3);
  std::atomic<int> ended = 0;
  EXPECT_THROW(team.run([&](std::size_t thread) {
    ++ended;
    if (thread == 2) throw std::runtime_error("broken");
  }),
               std::runtime_error);
  EXPECT_EQ(ended, 3);
  team.run([&](std::size_t) { ++ended; });
  EXPECT_EQ(ended, 6);
}

TEST(Team, EndsWithoutEverHavingRun) { EXPECT_EQ(Team(4).size(), 4u); }

}  // namespace
}  // namespace muster::benchmarks::host
