// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/number_format.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "benchmarks/data/product_numbers.hpp"
#include "benchmarks/data/scrambled.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::uint64_t words = 100'000;

TEST(NumberFormat, HoldsWholeNumbersOfEachArithmetic) {
  for (const auto arithmetic : arithmetics) {
    const auto format = format_of(arithmetic);
    const auto largest = largest_whole(arithmetic);
    for (auto number = -largest; number <= largest; ++number)
      ASSERT_EQ(format.decoded(format.encoded(number)), static_cast<double>(number)) << to_text(arithmetic);
  }
}

TEST(NumberFormat, IsThatOfTheProcessorWhereItHasOne) {
  for (const auto number : {0, 1, -1, 3, -31, 262'144}) {
    EXPECT_EQ(format_of(Arithmetic::fp64).encoded(number), std::bit_cast<std::uint64_t>(static_cast<double>(number)));
  }
  for (const auto number : {0, 1, -1, 3, -31})
    EXPECT_EQ(format_of(Arithmetic::tf32).encoded(number), std::bit_cast<std::uint32_t>(static_cast<float>(number)));
  for (std::uint64_t word = 0; word < words; ++word) {
    const auto of_64 = format_of(Arithmetic::fp64).random(scrambled(word));
    ASSERT_EQ(format_of(Arithmetic::fp64).decoded(of_64), std::bit_cast<double>(of_64));
    const auto of_32 = format_of(Arithmetic::tf32).random(scrambled(word));
    ASSERT_EQ(format_of(Arithmetic::tf32).decoded(of_32),
              static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(of_32))));
    // bf16 is the upper half of a float.
    const auto of_16 = format_of(Arithmetic::bf16).random(scrambled(word));
    ASSERT_EQ(format_of(Arithmetic::bf16).decoded(of_16),
              static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(of_16 << 16U))));
  }
}

// As NVIDIA's headers have them: 1, -1.5, 31 of fp16; 2, -1, 0.25 of fp8 E4M3.
TEST(NumberFormat, IsTheUsualOneOfFewBits) {
  const auto fp16 = format_of(Arithmetic::fp16);
  EXPECT_EQ(fp16.decoded(0x3c00), 1);
  EXPECT_EQ(fp16.decoded(0xbe00), -1.5);
  EXPECT_EQ(fp16.encoded(31), 0x4fc0U);
  const auto fp8 = format_of(Arithmetic::fp8);
  EXPECT_EQ(fp8.encoded(2), 0x40U);
  EXPECT_EQ(fp8.encoded(-1), 0xb8U);
  EXPECT_EQ(fp8.decoded(0x28), 0.25);
}

TEST(NumberFormat, RandomNumbersUseEveryBitOfTheMantissaAndBothSigns) {
  for (const auto arithmetic : arithmetics) {
    const auto format = format_of(arithmetic);
    std::uint64_t ones = 0;
    std::uint64_t zeros = 0;
    for (std::uint64_t word = 0; word < words; ++word) {
      const auto bits = format.random(scrambled(word));
      ones |= bits;
      zeros |= ~bits;
      if (arithmetic == Arithmetic::int8) continue;
      const auto magnitude = std::abs(format.decoded(bits));
      ASSERT_TRUE(magnitude >= 0.25 && magnitude < 1) << to_text(arithmetic) << magnitude;
    }
    const auto mantissa_and_sign = arithmetic == Arithmetic::int8
                                       ? 0xffU
                                       : ((std::uint64_t{1} << format.mantissa_bits) - 1) << format.unused_bits |
                                             std::uint64_t{1} << (format.bits - 1);
    EXPECT_EQ(ones & zeros & mantissa_and_sign, mantissa_and_sign) << to_text(arithmetic);
  }
}

}  // namespace
}  // namespace muster::benchmarks
