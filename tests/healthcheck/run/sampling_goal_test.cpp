// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/sampling_goal.hpp"

#include <gtest/gtest.h>

namespace muster::healthcheck {
namespace {

using results::Unit;

Expectation expectation(BoundKind kind, double pass, double fail) {
  Expectation wanted;
  wanted.check = "link";
  wanted.metric = "link.rate";
  wanted.bound.kind = kind;
  wanted.bound.unit = Unit::byte_per_second;
  wanted.bound.pass = pass;
  wanted.bound.fail = fail;
  wanted.noise = 0.02;
  return wanted;
}

benchmarks::SamplingGoal goal_of(std::vector<Expectation> wanted, const std::optional<results::Limit>& limit = {}) {
  Profile profile;
  profile.expectations = std::move(wanted);
  return goal(profile, {}, "link.rate", {{"size", "1 GiB"}}, limit);
}

TEST(SamplingGoal, IsTheThresholdsOfTheExpectation) {
  const auto found = goal_of({expectation(BoundKind::at_least, 465e9, 440e9)});
  ASSERT_TRUE(found.thresholds);
  EXPECT_EQ(found.thresholds->pass, 465e9);
  EXPECT_EQ(found.thresholds->fail, 440e9);
  EXPECT_EQ(found.noise, 0.02);
}

TEST(SamplingGoal, MayBeThatLessIsBetter) {
  const auto found = goal_of({expectation(BoundKind::at_most, 5e-6, 6e-6)});
  ASSERT_TRUE(found.thresholds);
  EXPECT_EQ(found.thresholds->pass, 5e-6);
  EXPECT_EQ(found.thresholds->fail, 6e-6);
}

TEST(SamplingGoal, IsAShareOfTheLimitWhereThereIsOne) {
  const auto wanted = expectation(BoundKind::efficiency, 0.8, 0.5);
  EXPECT_FALSE(goal_of({wanted}).thresholds);
  const auto found = goal_of({wanted}, results::Limit{{100, Unit::byte_per_second}, "cable"});
  ASSERT_TRUE(found.thresholds);
  EXPECT_EQ(found.thresholds->pass, 80);
  EXPECT_EQ(found.thresholds->fail, 50);
}

TEST(SamplingGoal, PrefersThresholdsInUnitsToAShare) {
  const auto found = goal_of({expectation(BoundKind::efficiency, 0.8, 0.5), expectation(BoundKind::at_least, 90, 70)},
                             results::Limit{{100, Unit::byte_per_second}, "cable"});
  ASSERT_TRUE(found.thresholds);
  EXPECT_EQ(found.thresholds->pass, 90);
}

TEST(SamplingGoal, TakesASizeFromANumberOn) {
  for (const auto& [wanted, hosts, holds] : {std::tuple{"1", "1", true},
                                             {"1", "2", false},
                                             {"2+", "1", false},
                                             {"2+", "2", true},
                                             {"2+", "16", true},
                                             {"2+", "1-2", false},
                                             {"2+", "many", false},
                                             {"P2P+", "P2P+", true}}) {
    auto wanted_of = expectation(BoundKind::at_least, 2, 1);
    wanted_of.labels = {{"hosts", wanted}};
    Profile profile;
    profile.expectations = {wanted_of};
    EXPECT_EQ(goal(profile, {}, "link.rate", {{"hosts", hosts}}, {}).thresholds.has_value(), holds) << wanted << hosts;
  }
}

TEST(SamplingGoal, IsEmptyForWhatTheProfileDoesNotExpect) {
  auto other_size = expectation(BoundKind::at_least, 2, 1);
  other_size.labels = {{"size", "4 GiB"}};
  EXPECT_FALSE(goal_of({other_size}).thresholds);
  auto other_metric = expectation(BoundKind::at_least, 2, 1);
  other_metric.metric = "link.latency";
  EXPECT_FALSE(goal_of({other_metric}).thresholds);
  auto later = expectation(BoundKind::at_least, 2, 1);
  later.tier = results::Tier::full;
  EXPECT_FALSE(goal_of({later}).thresholds);
  EXPECT_FALSE(goal_of({expectation(BoundKind::at_most, 0, 1)}).thresholds);
  EXPECT_FALSE(goal_of({expectation(BoundKind::at_least, 2, 0)}).thresholds) << "nothing lies below 0";
}

}  // namespace
}  // namespace muster::healthcheck
