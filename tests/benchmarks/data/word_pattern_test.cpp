// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/word_pattern.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>

namespace muster::benchmarks {
namespace {

TEST(WordPattern, IsTheAddressOfEveryWord) {
  const WordPattern pattern{.filling = Filling::address};
  for (const std::uint64_t index : {0ULL, 1ULL, 511ULL, (141ULL << 30) / 8}) EXPECT_EQ(pattern.word(index), index * 8);
}

TEST(WordPattern, IsACheckerboardWhoseNeighboursDifferInEveryBit) {
  const WordPattern pattern{.filling = Filling::checkerboard};
  for (std::uint64_t index = 0; index < 100; ++index) {
    EXPECT_EQ(pattern.word(index) ^ pattern.word(index + 1), ~std::uint64_t{0});
    EXPECT_EQ(pattern.word(index) ^ pattern.word(index) >> 1, index % 2 == 0 ? 0x7fffffffffffffff : ~std::uint64_t{0});
  }
}

TEST(WordPattern, WalksThroughAllBitsInSixtyFourTurns) {
  for (const std::uint64_t index : {0ULL, 17ULL, 1ULL << 40}) {
    std::uint64_t walked = 0;
    for (std::uint64_t turn = 0; turn < 64; ++turn) walked |= WordPattern{Filling::walking_one, turn}.word(index);
    EXPECT_EQ(walked, ~std::uint64_t{0});
  }
}

TEST(WordPattern, HasRandomWordsThatTheSeedDecides) {
  const WordPattern one{.filling = Filling::random, .seed = 1};
  const WordPattern other{.filling = Filling::random, .seed = 2};
  std::set<std::uint64_t> words;
  int ones = 0;
  constexpr int count = 10'000;
  for (std::uint64_t index = 0; index < count; ++index) {
    words.insert(one.word(index));
    ones += std::popcount(one.word(index));
    EXPECT_NE(one.word(index), other.word(index));
  }
  EXPECT_EQ(words.size(), count);
  EXPECT_NEAR(ones, count * 32, count);  // 8 standard deviations are 3200
}

TEST(WordPattern, HasAnInverseOfEveryFilling) {
  for (const auto filling :
       {Filling::constant, Filling::address, Filling::checkerboard, Filling::walking_one, Filling::random}) {
    const WordPattern pattern{.filling = filling, .seed = 5};
    EXPECT_EQ(pattern.inverse().word(9), ~pattern.word(9));
    EXPECT_EQ(pattern.inverse().inverse().word(9), pattern.word(9));
  }
}

}  // namespace
}  // namespace muster::benchmarks
