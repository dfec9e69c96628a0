// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/collective.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "benchmarks/collectives/collective_data.hpp"
#include "benchmarks/collectives/element.hpp"
#include "benchmarks/error.hpp"

namespace muster::benchmarks {

void PrintTo(DataType type, std::ostream* out) { *out << to_text(type); }

namespace {

TEST(BusFactor, IsThatOfNcclTests) {
  EXPECT_DOUBLE_EQ(bus_factor(Operation::allreduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::reduce_scatter, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::all_to_all, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::broadcast, 8), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::send_receive, 8), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::allreduce, 1), 0);
}

Shape shape_of(Operation operation, std::size_t bytes, int ranks) {
  return shape({.operation = operation, .type = DataType::float32, .reduction = {}, .in_place = false}, bytes, ranks);
}

TEST(Shape, CountsAsNcclTestsDoes) {
  EXPECT_EQ(shape_of(Operation::allreduce, 4096, 4).send, 1024U);
  EXPECT_EQ(shape_of(Operation::allreduce, 4096, 4).receive, 1024U);
  EXPECT_EQ(shape_of(Operation::all_gather, 4096, 4).send, 256U);
  EXPECT_EQ(shape_of(Operation::all_gather, 4096, 4).receive, 1024U);
  EXPECT_EQ(shape_of(Operation::reduce_scatter, 4096, 4).send, 1024U);
  EXPECT_EQ(shape_of(Operation::reduce_scatter, 4096, 4).receive, 256U);
  EXPECT_EQ(shape_of(Operation::all_to_all, 4096, 4).send, 1024U);
}

TEST(Shape, RoundsDownToEqualParts) {
  const Collective gather{
      .operation = Operation::all_gather, .type = DataType::float32, .reduction = {}, .in_place = false};
  EXPECT_EQ(moved_bytes(gather, 4096, 3), 4092U);
  EXPECT_EQ(moved_bytes(gather, 8, 3), 0U);
  EXPECT_EQ(shape(gather, 4096, 3).send, 341U);
}

// What every rank must have after an operation, done by hand from what every rank gave.
class Moves : public testing::TestWithParam<DataType> {
 protected:
  static constexpr int ranks = 3;

  static std::vector<std::byte> given(const Collective& collective, const Shape& elements, int rank) {
    std::vector<std::byte> buffer(elements.send * bytes_of(collective.type));
    fill(buffer, collective.type, pattern(collective, ranks, 4), rank);
    return buffer;
  }

  static WrongElements verified(std::span<const std::byte> buffer, const Collective& collective, int rank) {
    return verify(buffer, collective, shape(collective, 1200, ranks), pattern(collective, ranks, 4), rank, ranks);
  }
};

TEST_P(Moves, AnAllGatherIsAllPartsInOrder) {
  const Collective collective{
      .operation = Operation::all_gather, .type = GetParam(), .reduction = {}, .in_place = false};
  std::vector<std::byte> result;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto part = given(collective, shape(collective, 1200, ranks), rank);
    result.insert(result.end(), part.begin(), part.end());
  }
  EXPECT_EQ(verified(result, collective, 1).count, 0U);
  std::swap_ranges(result.begin(), result.begin() + 400, result.begin() + 400);
  EXPECT_GT(verified(result, collective, 1).count, 0U) << "parts of two ranks swapped";
}

TEST_P(Moves, AnAllToAllIsThePartForThisRankFromEach) {
  const Collective collective{
      .operation = Operation::all_to_all, .type = GetParam(), .reduction = {}, .in_place = false};
  constexpr std::ptrdiff_t own = 2;
  std::vector<std::byte> result;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto part = given(collective, shape(collective, 1200, ranks), rank);
    result.insert(result.end(), part.begin() + own * 400, part.begin() + (own + 1) * 400);
  }
  EXPECT_EQ(verified(result, collective, own).count, 0U);
  EXPECT_GT(verified(result, collective, 0).count, 0U) << "another rank's result";
}

TEST_P(Moves, ARingGivesWhatTheRankBeforeHad) {
  const Collective collective{
      .operation = Operation::send_receive, .type = GetParam(), .reduction = {}, .in_place = false};
  const auto last = given(collective, shape(collective, 1200, ranks), 2);
  EXPECT_EQ(verified(last, collective, 0).count, 0U);
  EXPECT_GT(verified(last, collective, 2).count, 0U);
}

TEST_P(Moves, AWrongBitIsCountedAndLocated) {
  const Collective collective{.operation = Operation::broadcast, .type = GetParam(), .reduction = {}, .in_place = true};
  auto result = given(collective, shape(collective, 1200, ranks), 0);
  EXPECT_EQ(verified(result, collective, 1).count, 0U);
  const auto element = bytes_of(GetParam());
  result[5 * element] ^= std::byte{1};
  result[9 * element] ^= std::byte{1};
  const auto wrong = verified(result, collective, 1);
  EXPECT_EQ(wrong.count, 2U);
  ASSERT_TRUE(wrong.first);
  EXPECT_EQ(wrong.first->index, 5U);
  EXPECT_EQ(wrong.first->expected_bits ^ wrong.first->found_bits, 1U);
}

TEST_P(Moves, WhatIsGivenIsThePatternToTheLastElement) {
  const Collective collective{.operation = Operation::allreduce, .type = GetParam(), .reduction = Reduction::prod};
  constexpr std::size_t many = std::size_t{1} << 16;
  std::vector<std::byte> buffer(many * bytes_of(GetParam()));
  const auto tested = pattern(collective, ranks, 4);
  fill(buffer, GetParam(), tested, 1);
  with_type(GetParam(), [&](auto element) {
    for (std::size_t index = 0; index < many; ++index) {
      auto found = element.bits(0, 1);
      std::memcpy(&found, buffer.data() + index * sizeof found, sizeof found);
      ASSERT_EQ(found, element.bits(tested.input(1, index), 1)) << index;
    }
  });
}

// Buffers of many periods with every element as it must be, less some anywhere.
TEST_P(Moves, EveryWrongElementIsCountedWhereverItIs) {
  std::mt19937_64 random(1);
  for (const auto operation : operations) {
    const Collective collective{.operation = operation, .type = GetParam()};
    const auto elements = shape(collective, 24000, ranks);
    const auto tested = pattern(collective, ranks, 4);
    std::vector<std::byte> result(elements.receive * bytes_of(GetParam()));
    with_type(GetParam(), [&](auto element) {
      for (std::size_t index = 0; index < elements.receive; ++index) {
        const auto bits = element.bits(expected(collective, elements, tested, 1, ranks, index), 1);
        std::memcpy(result.data() + index * sizeof bits, &bits, sizeof bits);
      }
    });
    for (const std::size_t count : {0U, 1U, 2U, 7U}) {
      auto damaged = result;
      std::set<std::size_t> wrong;
      while (wrong.size() < count) wrong.insert(random() % elements.receive);
      for (const auto index : wrong) damaged[index * bytes_of(GetParam())] ^= std::byte{1};
      const auto found = verify(damaged, collective, elements, tested, 1, ranks);
      ASSERT_EQ(found.count, count) << to_text(operation);
      if (count > 0) {
        EXPECT_EQ(found.first->index, *wrong.begin()) << to_text(operation);
      }
    }
    const std::vector<std::byte> nothing(result.size(), std::byte{0xff});
    EXPECT_EQ(verify(nothing, collective, elements, tested, 1, ranks).count, elements.receive) << to_text(operation);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Moves, testing::ValuesIn(data_types));

}  // namespace
}  // namespace muster::benchmarks
