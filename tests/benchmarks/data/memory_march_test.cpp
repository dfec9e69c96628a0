// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/memory_march.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "tests/support/faulty_words.hpp"

namespace muster::benchmarks {
namespace {

using tests::FaultyWords;

constexpr std::size_t word_count = 4096;
constexpr std::uint64_t seed = 0x1234;
constexpr std::uint64_t broken = 1234;  // an index

// The marches that find something, by name.
std::map<std::string, Marched> red(FaultyWords& words, bool thoroughly = false) {
  std::map<std::string, Marched> found;
  for (auto how : marches(seed, thoroughly)) {
    how.pause = {};
    if (const auto marched = march(words, how); marched.wrong > 0) found.emplace(how.name, marched);
  }
  return found;
}

std::map<std::string, Marched> red(FaultyWords::Fault fault, bool thoroughly = false) {
  FaultyWords words(word_count, std::move(fault));
  return red(words, thoroughly);
}

const March& named(const std::vector<March>& all, const std::string& name) {
  return *std::ranges::find(all, name, &March::name);
}

TEST(MemoryMarch, FindsNothingInAHealthyMemory) {
  FaultyWords words(word_count, {});
  EXPECT_TRUE(red(words).empty());
  EXPECT_TRUE(red(words, true).empty());
}

TEST(MemoryMarch, CountsWhatItMovedAndItsTime) {
  FaultyWords words(word_count, {});
  const auto all = marches(seed, false);
  const auto once = march(words, named(all, "random"));
  EXPECT_EQ(once.bytes, 2.0 * word_count * sizeof(std::uint64_t));
  EXPECT_EQ(once.seconds, 2);
  const auto inverting = march(words, named(all, "moving inversions"));
  EXPECT_EQ(inverting.bytes, 10.0 * word_count * sizeof(std::uint64_t));
  EXPECT_EQ(inverting.seconds, 6);
}

class AnyBit : public testing::TestWithParam<int> {
 protected:
  std::uint64_t bit() const { return std::uint64_t{1} << GetParam(); }
};

TEST_P(AnyBit, StuckAtZeroIsFoundAndStays) {
  const auto found = red({.stored = [&](auto index, auto word) { return index == broken ? word & ~bit() : word; }});
  ASSERT_TRUE(found.contains("moving inversions"));
  const auto& marched = found.at("moving inversions");
  EXPECT_EQ(marched.differing, bit());
  ASSERT_TRUE(marched.first);
  EXPECT_EQ(marched.first->mismatch.index, broken);
}

TEST_P(AnyBit, StuckAtOneIsFoundAndStays) {
  const auto found = red({.stored = [&](auto index, auto word) { return index == broken ? word | bit() : word; }});
  ASSERT_TRUE(found.contains("moving inversions"));
  EXPECT_EQ(found.at("moving inversions").differing, bit());
  EXPECT_EQ(found.at("moving inversions").first->persistence, Persistence::forever);
}

TEST_P(AnyBit, FlippedOnceIsFoundByEveryPattern) {
  for (const auto& how : marches(seed, false)) {
    int left = 1;
    FaultyWords words(word_count, {.stored = [&](auto index, auto word) {
                        return index == broken && left-- > 0 ? word ^ bit() : word;
                      }});
    const auto marched = march(words, how);
    EXPECT_EQ(marched.wrong, 1) << how.name;
    EXPECT_EQ(marched.differing, bit()) << how.name;
    ASSERT_TRUE(marched.first) << how.name;
    EXPECT_EQ(marched.first->mismatch.expected ^ marched.first->mismatch.found, bit()) << how.name;
    EXPECT_EQ(marched.first->persistence, Persistence::until_written_again) << how.name;
  }
}

INSTANTIATE_TEST_SUITE_P(OfAWord, AnyBit, testing::Range(0, 64));

TEST(MemoryMarch, TellsAWordThatWasOnlyReadWrong) {
  const auto all = marches(seed, false);
  int left = 1;
  FaultyWords words(word_count,
                    {.found = [&](auto index, auto word) { return index == broken && left-- > 0 ? word ^ 8 : word; }});
  const auto marched = march(words, named(all, "checkerboard"));
  ASSERT_TRUE(marched.first);
  EXPECT_EQ(marched.first->persistence, Persistence::until_read_again);
  EXPECT_EQ(to_text(*marched.first),
            "offset 0x2690 holds 555555555555555d instead of 5555555555555555: bit 3; right when it was read again");
}

// A line that is always low: two indices share each word.
class AddressLine : public testing::TestWithParam<int> {};

TEST_P(AddressLine, StuckIsFoundByAddressesAndRandomWords) {
  const auto line = std::uint64_t{1} << GetParam();
  const auto found = red({.place = [line](auto index) { return index & ~line; }});
  for (const auto* name : {"address", "random"}) {
    ASSERT_TRUE(found.contains(name));
    EXPECT_EQ(found.at(name).wrong, word_count / 2) << name;
  }
  EXPECT_EQ(found.at("address").differing, line * sizeof(std::uint64_t));
}

INSTANTIATE_TEST_SUITE_P(OfTheMemory, AddressLine, testing::Range(0, 12));

// When a bit becomes `rising`, its neighbour becomes so, too, or the other way round.
class Disturbance : public testing::TestWithParam<std::tuple<int, bool, bool>> {};

TEST_P(Disturbance, OfANeighbourIsFound) {
  const auto [distance, rising, along] = GetParam();
  const auto neighbour = broken + static_cast<std::uint64_t>(distance);
  FaultyWords* memory = nullptr;
  std::uint64_t before = 0;
  FaultyWords words(word_count, {.stored = [&, rising = rising, along = along](auto index, auto word) {
                      if (index != broken) return word;
                      const bool became = word % 2 != before % 2 && (word % 2 != 0) == rising;
                      before = word;
                      const auto other = memory->read_one(neighbour);
                      if (became) memory->write_one(neighbour, rising == along ? other | 1 : other & ~std::uint64_t{1});
                      return word;
                    }});
  memory = &words;
  EXPECT_TRUE(red(words).contains("moving inversions"));
}

INSTANTIATE_TEST_SUITE_P(OfABit, Disturbance,
                         testing::Combine(testing::Values(-1, 1), testing::Bool(), testing::Bool()));

TEST(MemoryMarch, ThoroughlyLeavesNoBitOfAnyWordUnwalked) {
  std::map<std::string, std::set<std::uint64_t>> at_one_place;
  for (const auto& how : marches(seed, true)) at_one_place[how.name].insert(how.pattern.word(broken));
  EXPECT_EQ(at_one_place.at("walking ones").size(), 64);
  EXPECT_EQ(at_one_place.at("walking zeros").size(), 64);
  for (const auto word : at_one_place.at("walking ones")) EXPECT_EQ(std::popcount(word), 1);
  for (const auto word : at_one_place.at("walking zeros")) EXPECT_EQ(std::popcount(word), 63);
}

TEST(MemoryMarch, ThoroughlyWaitsForCellsThatForget) {
  const auto all = marches(seed, true);
  EXPECT_GT(named(all, "fading ones").pause.count(), 0);
  EXPECT_EQ(named(all, "fading ones").pattern.word(7), ~std::uint64_t{0});
  EXPECT_GT(named(all, "fading zeros").pause.count(), 0);
  EXPECT_EQ(named(all, "fading zeros").pattern.word(7), 0);
}

TEST(MemoryMarch, SaysManyBitsAsANumber) {
  EXPECT_EQ(bit_positions(0b1001), "bits 0, 3");
  EXPECT_EQ(bit_positions(std::uint64_t{1} << 63), "bit 63");
  EXPECT_EQ(bit_positions(~std::uint64_t{0}), "64 bits");
}

}  // namespace
}  // namespace muster::benchmarks
