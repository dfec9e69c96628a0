// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/message_data.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "benchmarks/scrambled.hpp"

namespace muster::benchmarks {
namespace {

using Word = std::array<std::byte, sizeof(std::uint64_t)>;

// Calls `use` with each word of the memory, the last one cut to what is left, and what belongs there.
template <class Memory, class Use>
void each_word(Memory memory, std::uint64_t seed, Use use) {
  const auto start = scrambled(seed);
  for (std::size_t index = 0; !memory.empty(); ++index) {
    const auto size = std::min(memory.size(), sizeof(Word));
    const auto expected = std::bit_cast<Word>(scrambled(start + index));
    use(memory.first(size), std::span(expected).first(size));
    memory = memory.subspan(size);
  }
}

}  // namespace

void fill(std::span<std::byte> memory, std::uint64_t seed) {
  each_word(memory, seed, [](auto place, auto expected) { std::ranges::copy(expected, place.begin()); });
}

std::size_t wrong_bytes(std::span<const std::byte> memory, std::uint64_t seed) {
  std::size_t wrong = 0;
  each_word(memory, seed, [&](auto found, auto expected) {
    if (std::ranges::equal(found, expected)) return;
    for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] != expected[i] ? 1 : 0;
  });
  return wrong;
}

}  // namespace muster::benchmarks
