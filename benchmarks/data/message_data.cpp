// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/message_data.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "benchmarks/data/scrambled.hpp"

namespace muster::benchmarks {
namespace {

using Word = std::array<std::byte, sizeof(std::uint64_t)>;

// Calls `use` with each word of the memory and what belongs there: whole ones, whose size the compiler knows, then what
// is left.
template <class Memory, class Use>
void each_word(Memory memory, std::uint64_t seed, Use use) {
  auto next = scrambled(seed);
  for (; memory.size() >= sizeof(Word); memory = memory.subspan(sizeof(Word))) {
    const auto expected = std::bit_cast<Word>(scrambled(next++));
    use(memory.template first<sizeof(Word)>(), std::span(expected));
  }
  const auto expected = std::bit_cast<Word>(scrambled(next));
  if (!memory.empty()) use(memory, std::span(expected).first(memory.size()));
}

}  // namespace

void fill(std::span<std::byte> memory, std::uint64_t seed) {
  each_word(memory, seed, [](auto place, auto expected) { std::memcpy(place.data(), expected.data(), place.size()); });
}

std::size_t wrong_bytes(std::span<const std::byte> memory, std::uint64_t seed) {
  std::size_t wrong = 0;
  each_word(memory, seed, [&](auto found, auto expected) {
    if (std::memcmp(found.data(), expected.data(), found.size()) == 0) return;
    for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] != expected[i] ? 1 : 0;
  });
  return wrong;
}

}  // namespace muster::benchmarks
