// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/exact_product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/data/hashed.hpp"
#include "benchmarks/data/peak_operations.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t size = 16;
constexpr std::uint64_t one_seed = 11;
constexpr std::uint64_t other_seed = 12;

ProductInput input_of(Arithmetic arithmetic) {
  return {.arithmetic = arithmetic, .numbers = Numbers::whole, .size = size, .seed = 5};
}

// D, element by element, as doubles.
std::vector<double> product(const ProductInput& input) {
  std::vector<double> all(size * size);
  for (std::size_t row = 0; row < size; ++row)
    for (std::size_t column = 0; column < size; ++column)
      for (std::size_t inner = 0; inner < size; ++inner)
        all[size * column + row] += static_cast<double>(input.whole(Matrix::a, size * row + inner)) *
                                    static_cast<double>(input.whole(Matrix::b, size * column + inner));
  return all;
}

WrongRows judged(const ProductInput& input, const std::vector<double>& found, std::uint64_t seed) {
  const auto weights = [seed](std::size_t column) { return weight(seed, column); };
  std::vector<std::uint64_t> of_b;
  for (std::size_t row = 0; row < size; ++row) of_b.push_back(weighed(0, size, row_of_b(input, row), weights));
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> sums;
  for (std::size_t row = 0; row < size; ++row) {
    expected.push_back(weighed(0, size, row_of_a(input, row), [&](std::size_t column) { return of_b[column]; }));
    sums.push_back(weighed(0, size, row_of_product(found.data(), size, row), weights));
  }
  return wrong_rows(expected, sums);
}

class ExactProduct : public testing::TestWithParam<Arithmetic> {
 protected:
  ProductInput input_ = input_of(GetParam());
  std::vector<double> right_ = product(input_);
};

TEST_P(ExactProduct, IsRight) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(judged(input_, right_, seed).count, 0U);
}

TEST_P(ExactProduct, OneWrongElementAnywhereIsFoundByEitherSeed) {
  for (std::size_t place = 0; place < right_.size(); ++place)
    for (const double error : {1.0, -1.0, 65536.0}) {
      auto found = right_;
      found[place] += error;
      for (const auto seed : {one_seed, other_seed}) {
        const auto wrong = judged(input_, found, seed);
        ASSERT_EQ(wrong.count, 1U) << place;
        ASSERT_EQ(wrong.first, place % size);
      }
    }
}

TEST_P(ExactProduct, TwoErrorsThatBalanceInASumAreFound) {
  auto found = right_;
  found[3] += 1;
  found[3 + size] -= 1;  // the same row
  found[4] += 1;
  found[5] -= 1;  // the same column
  EXPECT_EQ(judged(input_, found, one_seed).count, 3U);
}

TEST_P(ExactProduct, WhatIsNoWholeNumberIsWrong) {
  for (const double strange : {std::nan(""), std::numeric_limits<double>::infinity(), 0.5, 1e300}) {
    auto found = right_;
    found[7] = strange;
    EXPECT_EQ(judged(input_, found, one_seed).first, 7U) << strange;
  }
}

TEST_P(ExactProduct, ItsElementsAreKnown) {
  for (std::size_t row = 0; row < size; ++row)
    for (std::size_t column = 0; column < size; ++column)
      ASSERT_EQ(static_cast<double>(exact_element(input_, row, column)), right_[size * column + row]);
}

INSTANTIATE_TEST_SUITE_P(Of, ExactProduct, testing::ValuesIn(arithmetics),
                         [](const auto& each) { return std::string(to_text(each.param)); });

TEST(WrongElement, IsTheFirstOfItsRow) {
  const auto input = input_of(Arithmetic::fp64);
  const auto right = product(input);
  auto found = right;
  found[2 + 5 * size] += 3;
  found[2 + 9 * size] = 0.25;
  std::vector<std::uint64_t> words;
  for (const double value : found) words.push_back(std::bit_cast<std::uint64_t>(value));
  const auto expected = static_cast<std::int64_t>(right[2 + 5 * size]);
  EXPECT_EQ(
      wrong_element(input, 2, words),
      (WrongProductElement{.row = 2, .column = 5, .expected = expected, .found = static_cast<double>(expected + 3)}));
  EXPECT_EQ(wrong_element(input, 3, words), std::nullopt);
}

// Two of four bytes in a word.
TEST(WrongElement, IsReadAsItStandsInMemory) {
  const auto in_words = [](std::uint32_t low, std::uint32_t high) {
    return std::vector{std::uint64_t{low} | std::uint64_t{high} << 32U};
  };
  const auto floats = in_words(std::bit_cast<std::uint32_t>(-2.0F), std::bit_cast<std::uint32_t>(5.5F));
  EXPECT_EQ(result_at(Arithmetic::bf16, floats, 0), -2);
  EXPECT_EQ(result_at(Arithmetic::bf16, floats, 1), 5.5);
  const auto wholes = in_words(static_cast<std::uint32_t>(-7), 9);
  EXPECT_EQ(result_at(Arithmetic::int8, wholes, 0), -7);
  EXPECT_EQ(result_at(Arithmetic::int8, wholes, 1), 9);
}

// The largest sums of products must be exact in what they are added up in.
TEST(LargestWhole, LeavesRoomForTheLargestProduct) {
  const auto largest_sum = [](Arithmetic arithmetic) {
    const auto largest = static_cast<double>(largest_whole(arithmetic));
    return largest * largest * static_cast<double>(largest_product);
  };
  EXPECT_LE(largest_sum(Arithmetic::fp64), 0x1p53);
  for (const auto arithmetic : {Arithmetic::tf32, Arithmetic::bf16, Arithmetic::fp16})
    EXPECT_LE(largest_sum(arithmetic), 0x1p24);
  EXPECT_LT(largest_sum(Arithmetic::int8), 0x1p31);
}

TEST(Hash, ChangesWithAnyBitOfAnyWordAndWithTheirOrder) {
  const auto hash = [](const std::vector<std::uint64_t>& words) {
    std::uint64_t sum = 0;
    for (std::size_t index = 0; index < words.size(); ++index) sum += hash_of(index, words[index]);
    return sum;
  };
  std::vector<std::uint64_t> words(32);
  for (std::size_t index = 0; index < words.size(); ++index) words[index] = scrambled(index);
  const auto right = hash(words);
  for (auto& word : words)
    for (unsigned bit = 0; bit < 64; ++bit) {
      word ^= std::uint64_t{1} << bit;
      ASSERT_NE(hash(words), right);
      word ^= std::uint64_t{1} << bit;
    }
  std::swap(words[3], words[4]);
  EXPECT_NE(hash(words), right);
}

// Published: 989 and 1979 Top/s at 1830 MHz, 67 at 1980; 312 and 19.5 at 1410 MHz.
TEST(PeakOperations, AreThoseThatArePublished) {
  const auto peak = [](Arithmetic arithmetic, std::string_view capability, double multiprocessors, double hertz) {
    return peak_operations_per_clock(arithmetic, capability).value() * multiprocessors * hertz;
  };
  EXPECT_NEAR(peak(Arithmetic::fp16, "9.0", 132, 1830e6), 989.5e12, 1e12);
  EXPECT_NEAR(peak(Arithmetic::fp8, "9.0", 132, 1830e6), 1979e12, 1e12);
  EXPECT_NEAR(peak(Arithmetic::fp64, "9.0", 132, 1980e6), 67e12, 0.2e12);
  EXPECT_NEAR(peak(Arithmetic::bf16, "8.0", 108, 1410e6), 312e12, 1e12);
  EXPECT_NEAR(peak(Arithmetic::fp64, "8.0", 108, 1410e6), 19.5e12, 0.1e12);
  EXPECT_EQ(peak_operations_per_clock(Arithmetic::fp8, "8.0"), std::nullopt);
  EXPECT_EQ(peak_operations_per_clock(Arithmetic::fp16, "12.0"), std::nullopt);
}

}  // namespace
}  // namespace muster::benchmarks
