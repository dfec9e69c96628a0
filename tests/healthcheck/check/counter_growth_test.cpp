// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/counter_growth.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "results/system/file.hpp"
#include "tests/support/files.hpp"
#include "topology/evidence/evidence.hpp"

namespace muster::healthcheck {
namespace {

constexpr double no_window = 0;

const topology::Counter of_mlx5_0{"infiniband.link_downed", {{"nic", "mlx5_0"}, {"port", "1"}}, 4};

class CounterGrowth : public testing::Test {
 protected:
  CounterGrowth() {
    tree_.write("proc/sys/kernel/random/boot_id", "this boot\n");
    tree_.write("proc/uptime", "1060.25 1.00\n");
    count(6);
  }

  void count(int value) const {
    tree_.write("sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", std::to_string(value) + "\n");
  }
  // Of counters that all have a reading, or none.
  Growth grow(std::optional<double> window_seconds = {}) const {
    const auto all = grow_all(window_seconds);
    EXPECT_EQ(all.size(), 1U);
    return all.at(0);
  }
  std::vector<Growth> grow_all(std::optional<double> window_seconds = {}) const {
    return counter_growth(topology::Sysfs(tree_.path()), topology::infiniband, file_, window_seconds).all;
  }
  // As a later run of this boot finds it.
  CounterSnapshot left() const {
    auto [reading, problem] = earlier_reading(file_, {.boot_id = "this boot", .uptime_seconds = 1e9, .counters = {}});
    EXPECT_EQ(problem, "");
    return reading;
  }

  tests::TemporaryFolder tree_;
  std::filesystem::path file_ = tree_.path() / "counters.json";
};

TEST_F(CounterGrowth, IsThatSinceTheLastReadingOfThisBoot) {
  write_reading({.boot_id = "this boot", .uptime_seconds = 1000, .counters = {of_mlx5_0}}, file_);
  const auto growth = grow();
  ASSERT_EQ(growth.deltas.size(), 1U);
  EXPECT_EQ(growth.deltas[0], (results::Delta{of_mlx5_0.metric, of_mlx5_0.labels, 4, 6}));
  EXPECT_EQ(growth.seconds, 60.25);
}

TEST_F(CounterGrowth, LeavesTheReadingForTheNextRun) {
  grow(no_window);
  EXPECT_EQ(left().boot_id, "this boot");
  EXPECT_NEAR(left().uptime_seconds, 1060.25, 0.1);  // and the window, which is none
  ASSERT_EQ(left().counters.size(), 1U);
  EXPECT_EQ(left().counters[0].value, 6);
}

TEST_F(CounterGrowth, OfACounterThatHasComeSinceIsThatOfAWindow) {
  write_reading({.boot_id = "this boot", .uptime_seconds = 1000, .counters = {of_mlx5_0}}, file_);
  tree_.write("sys/class/infiniband/mlx5_1/ports/1/counters/link_downed", "3\n");
  const auto all = grow_all();
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].deltas.size(), 1U);
  EXPECT_EQ(all[0].deltas[0].labels.at("nic"), "mlx5_1");
  EXPECT_LT(all[0].seconds, 30);
  ASSERT_EQ(all[1].deltas.size(), 1U);
  EXPECT_EQ(all[1].deltas[0], (results::Delta{of_mlx5_0.metric, of_mlx5_0.labels, 4, 6}));
  EXPECT_GE(all[1].seconds, 60.25 + usual_window_seconds) << "until the end of the window";
  EXPECT_EQ(left().counters.size(), 2U);
}

TEST_F(CounterGrowth, IsThatOfAWindowWhereTheReadingIsOfAnotherBootOrTimeOrOfOtherCounters) {
  for (const CounterSnapshot& earlier :
       {CounterSnapshot{"another boot", 1000, {of_mlx5_0}}, CounterSnapshot{"this boot", 2000, {of_mlx5_0}},
        CounterSnapshot{"this boot", 1000, {}}}) {
    write_reading(earlier, file_);
    const auto growth = grow();
    ASSERT_EQ(growth.deltas.size(), 1U);
    EXPECT_EQ(growth.deltas[0].before, 6);
    EXPECT_LT(growth.seconds, 30);
  }
}

TEST_F(CounterGrowth, IsThatOfTheWindowThatWasGivenWhateverTheLastReading) {
  write_reading({.boot_id = "this boot", .uptime_seconds = 1000, .counters = {of_mlx5_0}}, file_);
  const auto growth = grow(no_window);
  EXPECT_FALSE(growth.is_since_last_run);
  ASSERT_EQ(growth.deltas.size(), 1U);
  EXPECT_EQ(growth.deltas[0].before, 6);
  EXPECT_EQ(left().counters.at(0).value, 6) << "which the next run may compare with";
}

TEST_F(CounterGrowth, LastsAsLongAsTheWindow) { EXPECT_GE(grow(0.05).seconds, 0.05); }

TEST_F(CounterGrowth, NeedsToKnowTheBoot) {
  std::filesystem::remove(tree_.path() / "proc/uptime");
  EXPECT_THROW(grow(), std::runtime_error);
}

TEST_F(CounterGrowth, ADamagedReadingIsNamedAndReplaced) {
  for (const auto* text : {"", "{", "{}", R"({"boot_id": "a", "uptime_seconds": "soon", "counters": []})",
                           R"({"boot_id": "a", "uptime_seconds": 1, "counters": [{"metric": "m"}]})"}) {
    results::write_atomically(file_, text);
    const auto found = counter_growth(topology::Sysfs(tree_.path()), topology::infiniband, file_);
    EXPECT_NE(found.problem.find("counters.json"), std::string::npos) << found.problem;
    ASSERT_EQ(found.all.size(), 1U);
    EXPECT_FALSE(found.all[0].is_since_last_run);
    EXPECT_EQ(left().counters.size(), 1U) << text;
  }
}

}  // namespace
}  // namespace muster::healthcheck
