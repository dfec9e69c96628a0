// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/culprit.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace muster::benchmarks {
namespace {

using Times = std::vector<std::vector<double>>;

// So many ranks that take turns by chance in being the last; `late` is later than all by so many seconds.
Times times(std::size_t ranks, std::size_t samples, std::uint64_t seed, std::size_t late = 0, double seconds = 0) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> noise(1e4);
  Times all(ranks);
  for (std::size_t sample = 0; sample < samples; ++sample)
    for (std::size_t rank = 0; rank < ranks; ++rank)
      all[rank].push_back(0.01 + noise(random) + (rank == late ? 0 : seconds));
  return all;
}

std::optional<LateRank> late_rank(const Times& seconds) {
  LateRanks ranks;
  ranks.add(seconds);
  return ranks.worst();
}

TEST(LateRank, IsWhoSpendsTheLeastTimeInside) {
  const auto found = late_rank(times(4, 30, 1, 2, 0.003));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 2U);
  EXPECT_GT(found->share, 0.9);
  EXPECT_NEAR(found->seconds, 0.003, 0.0005);
}

TEST(LateRank, IsNobodyByChance) {
  int accused = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) accused += late_rank(times(4, 40, seed)) ? 1 : 0;
  EXPECT_LE(accused, 2);  // 1e-4 of 2,000, with room for two
}

TEST(LateRank, NeedsEnoughSamplesToBeNamed) {
  EXPECT_FALSE(late_rank(times(2, 10, 1, 1, 0.003)));  // 2 * 2^-10 is above 1e-4
  EXPECT_TRUE(late_rank(times(2, 20, 1, 1, 0.003)));
  EXPECT_FALSE(late_rank(times(1, 20, 1)));
  EXPECT_FALSE(late_rank({}));
  EXPECT_FALSE(LateRanks().worst());
}

TEST(LateRank, IsTheSameWhetherTheSamplesComeAtOnceOrInParts) {
  const auto all = times(4, 30, 1, 2, 0.003);
  LateRanks ranks;
  for (const auto& [first, count] : {std::pair{0, 7}, std::pair{7, 23}}) {
    Times part;
    for (const auto& rank : all) part.emplace_back(rank.begin() + first, rank.begin() + first + count);
    ranks.add(part);
  }
  const auto found = ranks.worst();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 2U);
  EXPECT_EQ(found->share, late_rank(all)->share);
  EXPECT_EQ(found->seconds, late_rank(all)->seconds);
}

TEST(Rounds, HaveEverybodyMeetAnotherAndNobodyTwice) {
  for (const std::size_t members : {2U, 3U, 4U, 5U, 8U, 9U, 64U}) {
    std::set<Pair> met;
    for (const auto& round : rounds(members, 3)) {
      std::map<std::size_t, int> busy;
      for (const Pair& pair : round) {
        EXPECT_LT(pair.first, pair.second);
        EXPECT_LT(pair.second, members);
        EXPECT_EQ(++busy[pair.first], 1);
        EXPECT_EQ(++busy[pair.second], 1);
        EXPECT_TRUE(met.insert(pair).second);
      }
      EXPECT_EQ(round.size(), members / 2);
    }
  }
  EXPECT_EQ(rounds(4, 3).size(), 3U) << "all six pairs";
  EXPECT_EQ(rounds(2, 3).size(), 1U);
  EXPECT_TRUE(rounds(1, 3).empty());
}

results::Summary rate(double median) {
  return {
      .n = 9, .median = median, .maximum = median, .median_interval = results::Interval{0.95 * median, 1.05 * median}};
}

// What the pairs of so many hosts carry when the named ones have slow links.
std::vector<std::size_t> slow_of(std::size_t members, const std::set<std::size_t>& slow, double share = 0.15) {
  std::vector<PairRate> rates;
  for (const auto& round : rounds(members, 3))
    for (const Pair& pair : round)
      rates.push_back({pair, rate(slow.contains(pair.first) || slow.contains(pair.second) ? 400 * share : 400)});
  return slow_members(best_rates(rates, members));
}

TEST(TooSlow, IsWhatFailedOrLiesBelowTheThresholdAsFarAsItIsKnown) {
  const auto ended = [](results::StoppingDecision decision) {
    return results::Stopping{.rule = "sign test", .pass_edge = 100, .fail_edge = 80, .n = 9, .decision = decision};
  };
  EXPECT_TRUE(too_slow(ended(results::StoppingDecision::fail), rate(50)));
  EXPECT_TRUE(too_slow(ended(results::StoppingDecision::inconclusive), rate(50)));
  EXPECT_FALSE(too_slow(ended(results::StoppingDecision::inconclusive), rate(200))) << "healthy, and only took long";
  EXPECT_FALSE(too_slow(ended(results::StoppingDecision::inconclusive), rate(99)))
      << "the interval reaches the threshold";
  EXPECT_TRUE(too_slow(ended(results::StoppingDecision::pass), rate(90))) << "between the thresholds";
  EXPECT_FALSE(too_slow(ended(results::StoppingDecision::pass), rate(120)));
  EXPECT_FALSE(too_slow({.rule = "", .n = 9, .decision = results::StoppingDecision::precise}, rate(50)))
      << "nothing is expected";
  EXPECT_TRUE(too_slow(ended(results::StoppingDecision::inconclusive), {.n = 2, .median = 50, .maximum = 60}))
      << "too few for an interval";
}

TEST(SlowMembers, AreNamedByTheirBestPair) {
  EXPECT_TRUE(slow_of(4, {}).empty());
  for (std::size_t host = 0; host < 4; ++host) EXPECT_EQ(slow_of(4, {host}), std::vector{host});
  EXPECT_EQ(slow_of(3, {1}), std::vector<std::size_t>{1});
  EXPECT_EQ(slow_of(64, {7, 50}), (std::vector<std::size_t>{7, 50}));
}

TEST(SlowMembers, AreNotThoseThatDifferAsHealthyOnesDo) {
  const std::vector<std::optional<results::Summary>> best{rate(24), rate(663), rate(1164), rate(1164)};
  EXPECT_EQ(slow_members(best), std::vector<std::size_t>{0});
  const std::vector<std::optional<results::Summary>> healthy{rate(900), rate(1000), rate(1100), {}, rate(1164)};
  EXPECT_TRUE(slow_members(healthy).empty());
}

TEST(SlowMembers, AreNobodyWhereItCannotBeTold) {
  EXPECT_TRUE(slow_of(2, {0}).empty()) << "either end may be slow";
  EXPECT_TRUE(slow_of(4, {0, 1}).empty()) << "half of all";
  EXPECT_TRUE(slow_of(4, {2}, 0.9).empty()) << "not clearly";
}

}  // namespace
}  // namespace muster::benchmarks
