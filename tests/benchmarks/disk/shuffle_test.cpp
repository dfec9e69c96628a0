// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/shuffle.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace muster::benchmarks::disk {
namespace {

TEST(Shuffle, NamesEveryNumberOnce) {
  for (const std::uint64_t count : {1U, 2U, 3U, 5U, 16U, 17U, 1'000U, 65'536U, 100'003U}) {
    const Shuffle shuffle(count, 7);
    std::vector<bool> seen(count);
    for (std::uint64_t number = 0; number < count; ++number) {
      const auto place = shuffle(number);
      ASSERT_LT(place, count);
      ASSERT_FALSE(seen[place]) << place << " of " << count;
      seen[place] = true;
    }
  }
}

// Of a random order a pair in `count` are neighbours on average, which no disk can guess; of a sequence all are.
TEST(Shuffle, LeavesNoNeighboursTogether) {
  constexpr std::uint64_t count = 100'000;
  const Shuffle shuffle(count, 7);
  int neighbours = 0;
  for (std::uint64_t number = 1; number < count; ++number)
    neighbours += shuffle(number) == shuffle(number - 1) + 1 ? 1 : 0;
  EXPECT_LT(neighbours, 10);
}

TEST(Shuffle, DiffersBySeed) {
  const Shuffle one(1'000, 1);
  const Shuffle other(1'000, 2);
  int same = 0;
  for (std::uint64_t number = 0; number < 1'000; ++number) same += one(number) == other(number) ? 1 : 0;
  EXPECT_LT(same, 10);
}

}  // namespace
}  // namespace muster::benchmarks::disk
