// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/stream_numbers.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace muster::benchmarks {
namespace {

// What the kernels do, one element after the other.
struct Sums {
  double dot = 0;
  double read = 0;
};

Sums added_up(std::size_t elements, std::uint32_t turn) {
  Sums sums;
  for (std::uint32_t index = 0; index < elements; ++index) {
    const double b = stream_value(index, turn);
    const double a = b + triad_factor * stream_value(index, turn);
    sums.dot += a * b;
    sums.read += a;
  }
  return sums;
}

TEST(StreamNumbers, SumUpAsIsExpected) {
  for (const std::size_t elements : {1U, 96U, 97U, 98U, 2048U, 100'000U})
    for (const std::uint32_t turn : {0U, 1U, 96U, 97U, 1000U}) {
      const auto sums = added_up(elements, turn);
      EXPECT_EQ(expected_sum(StreamKernel::dot, elements, turn), sums.dot) << elements << ' ' << turn;
      EXPECT_EQ(expected_sum(StreamKernel::read, elements, turn), sums.read) << elements << ' ' << turn;
    }
}

TEST(StreamNumbers, DifferFromThoseOfTheTurnBeforeAtEveryIndex) {
  for (std::uint32_t index = 0; index < 1000; ++index) EXPECT_NE(stream_value(index, 4), stream_value(index, 5));
}

// So that every order of adding gives the same: below 2^53 there is a double for every whole number.
TEST(StreamNumbers, HaveExactSumsInArraysOfTwoGibibytes) {
  constexpr std::size_t elements = (std::size_t{2} << 30) / sizeof(double);
  EXPECT_LT(expected_sum(StreamKernel::dot, elements, 0), static_cast<double>(std::uint64_t{1} << 53));
}

TEST(StreamNumbers, MoveWhatStreamCounts) {
  std::size_t arrays = 0;
  for (const auto kernel : stream_kernels) arrays += arrays_moved(kernel);
  EXPECT_EQ(arrays, 9);
  EXPECT_EQ(arrays_moved(StreamKernel::triad), 3);
  EXPECT_EQ(to_text(StreamKernel::triad), "triad");
}

}  // namespace
}  // namespace muster::benchmarks
