// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/message_data.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::benchmarks {
namespace {

TEST(MessageData, OfOneSeedIsTheSameAndOfAnotherIsNot) {
  std::vector<std::byte> memory(4096);
  fill(memory, 1);
  EXPECT_EQ(wrong_bytes(memory, 1), 0U);
  EXPECT_GT(wrong_bytes(memory, 2), 4000U);
}

TEST(MessageData, EveryWrongByteCounts) {
  std::vector<std::byte> memory(1003);  // no multiple of a word
  fill(memory, 1);
  for (const std::size_t at : {std::size_t{0}, std::size_t{500}, memory.size() - 1}) memory[at] ^= std::byte{0x10};
  EXPECT_EQ(wrong_bytes(memory, 1), 3U);
}

TEST(MessageData, AMessageInTheWrongPlaceIsSeen) {
  std::vector<std::byte> memory(512);
  fill(memory, 1);
  std::vector<std::byte> moved(memory.begin() + 64, memory.end());
  EXPECT_GT(wrong_bytes(moved, 1), 400U);
}

}  // namespace
}  // namespace muster::benchmarks
