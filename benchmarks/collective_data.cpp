// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collective_data.hpp"

#include <cstring>

#include "benchmarks/element.hpp"

namespace muster::benchmarks {

void fill(std::span<std::byte> buffer, DataType type, const Pattern& pattern, int rank) {
  with_type(type, [&](auto element) {
    using Bits = typename decltype(element)::Bits;
    const auto count = buffer.size() / sizeof(Bits);
    for (std::size_t index = 0; index < count; ++index) {
      const auto bits = element.bits(pattern.input(static_cast<std::uint64_t>(rank), index), 1);
      std::memcpy(buffer.data() + index * sizeof(Bits), &bits, sizeof(Bits));
    }
  });
}

WrongElements verify(std::span<const std::byte> buffer, const Collective& collective, const Shape& shape,
                     const Pattern& pattern, int rank, int ranks) {
  WrongElements wrong;
  with_type(collective.type, [&](auto element) {
    using Bits = typename decltype(element)::Bits;
    const auto parts = divisor(collective, ranks);
    for (std::size_t index = 0; index < buffer.size() / sizeof(Bits); ++index) {
      const auto wanted = element.bits(expected(collective, shape, pattern, rank, ranks, index), parts);
      Bits found = 0;
      std::memcpy(&found, buffer.data() + index * sizeof(Bits), sizeof(Bits));
      if (found == wanted) continue;
      if (wrong.count++ == 0) wrong.first = {.index = index, .expected_bits = wanted, .found_bits = found};
    }
  });
  return wrong;
}

}  // namespace muster::benchmarks
