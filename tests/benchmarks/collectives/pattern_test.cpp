// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "benchmarks/collectives/collective.hpp"

namespace muster::benchmarks {

void PrintTo(Reduction reduction, std::ostream* out) { *out << to_text(reduction); }

namespace {

constexpr std::uint64_t indices = 300;

using Case = std::tuple<Reduction, int, std::uint64_t>;  // ranks, greatest whole number

class Patterns : public testing::TestWithParam<Case> {
 protected:
  static Pattern pattern(std::uint64_t iteration) {
    const auto& [reduction, ranks, greatest] = GetParam();
    return {reduction, ranks, iteration, greatest};
  }
  static std::uint64_t ranks() { return static_cast<std::uint64_t>(std::get<int>(GetParam())); }

  // The reduction over all ranks but one.
  static std::uint64_t without(const Pattern& pattern, std::uint64_t index, std::uint64_t left_out) {
    std::uint64_t result = 0;
    bool first = true;
    for (std::uint64_t rank = 0; rank < ranks(); ++rank) {
      if (rank == left_out) continue;
      const auto value = pattern.input(rank, index);
      result = first ? value : reduced(result, value);
      first = false;
    }
    return result;
  }

  static std::uint64_t reduced(std::uint64_t one, std::uint64_t other) {
    switch (std::get<Reduction>(GetParam())) {
      case Reduction::sum:
      case Reduction::avg:
        return one + other;
      case Reduction::prod:
        return one * other;
      case Reduction::min:
        return std::min(one, other);
      case Reduction::max:
        break;
    }
    return std::max(one, other);
  }
};

TEST_P(Patterns, KnowTheResultWithoutTheRanks) {
  for (std::uint64_t iteration = 0; iteration < 5; ++iteration)
    for (std::uint64_t index = 0; index < indices; ++index)
      ASSERT_EQ(without(pattern(iteration), index, ranks()), pattern(iteration).reduced(index)) << index;
}

TEST_P(Patterns, MissEveryRank) {
  for (std::uint64_t rank = 0; rank < ranks(); ++rank) {
    std::uint64_t missed = 0;
    for (std::uint64_t index = 0; index < indices; ++index)
      missed += without(pattern(3), index, rank) == pattern(3).reduced(index) ? 0U : 1U;
    EXPECT_GT(missed, 0U) << "rank " << rank;
  }
}

TEST_P(Patterns, NeverGiveTheResultOfTheIterationBefore) {
  for (std::uint64_t iteration = 1; iteration < 200; ++iteration)
    for (std::uint64_t index = 0; index < indices; ++index)
      ASSERT_NE(pattern(iteration).reduced(index), pattern(iteration - 1).reduced(index)) << index;
}

TEST_P(Patterns, RepeatAfterTheirPeriod) {
  const auto period = pattern(7).period();
  for (std::uint64_t index = 0; index < indices; ++index) {
    EXPECT_EQ(pattern(7).reduced(index + period), pattern(7).reduced(index));
    for (std::uint64_t rank = 0; rank < ranks(); ++rank)
      EXPECT_EQ(pattern(7).input(rank, index + period), pattern(7).input(rank, index));
  }
}

TEST_P(Patterns, FitTheType) {
  const auto greatest = std::get<std::uint64_t>(GetParam());
  for (std::uint64_t index = 0; index < indices; ++index) {
    EXPECT_LE(pattern(7).reduced(index), greatest);
    for (std::uint64_t rank = 0; rank < ranks(); ++rank) EXPECT_LE(pattern(7).input(rank, index), 127U);
  }
}

INSTANTIATE_TEST_SUITE_P(Reductions, Patterns,
                         testing::Combine(testing::ValuesIn(reductions), testing::Values(2, 3, 16, 17, 64),
                                          testing::Values(std::uint64_t{127}, std::uint64_t{1} << 24)));

// What a rank gives in a whole period.
std::vector<std::uint64_t> given(const Pattern& pattern, std::uint64_t rank) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t index = 0; index < pattern.period(); ++index) values.push_back(pattern.input(rank, index));
  return values;
}

TEST(MovedData, AreOtherOnesOnEveryRank) {
  constexpr std::uint64_t ranks = 9312;
  std::set<std::vector<std::uint64_t>> all;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) all.insert(given(Pattern::moved(3), rank));
  EXPECT_EQ(all.size(), ranks);
}

TEST(MovedData, OfNeighboursDifferAtEveryIndex) {
  for (std::uint64_t index = 0; index < indices; ++index)
    for (std::uint64_t rank = 1; rank < 64; ++rank)
      EXPECT_NE(Pattern::moved(0).input(rank, index), Pattern::moved(0).input(rank - 1, index));
}

TEST(MovedData, AreOtherOnesInEveryIterationAndRepeatAfterTheirPeriod) {
  for (const std::uint64_t rank : {0U, 5U, 100U, 5000U})
    for (std::uint64_t index = 0; index < indices; ++index) {
      const auto value = Pattern::moved(7).input(rank, index);
      EXPECT_NE(value, Pattern::moved(6).input(rank, index));
      EXPECT_EQ(value, Pattern::moved(7).input(rank, index + Pattern::moved(7).period()));
      EXPECT_LE(value, 127U);
    }
}

}  // namespace
}  // namespace muster::benchmarks
