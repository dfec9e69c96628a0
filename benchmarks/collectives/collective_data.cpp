// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/collective_data.hpp"

#include <algorithm>
#include <cstring>

#include "benchmarks/collectives/element.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t max_copied = std::size_t{1} << 16;  // at a time, so that it stays in a near cache

// How many elements of a receiving buffer are of one pattern, from its start on: all, or what one rank gave.
std::size_t run_length(const Collective& collective, const Shape& shape, int ranks) {
  if (collective.operation == Operation::all_gather) return shape.send;
  if (collective.operation == Operation::all_to_all) return shape.receive / static_cast<std::size_t>(ranks);
  return shape.receive;
}

// Writes once more and again what the first bytes say.
void repeat(std::span<std::byte> buffer, std::size_t first) {
  const auto most = std::max<std::size_t>(1, max_copied / first) * first;
  for (std::size_t done = first; done < buffer.size();) {
    const auto bytes = std::min({done, most, buffer.size() - done});
    std::memcpy(buffer.data() + done, buffer.data(), bytes);
    done += bytes;
  }
}

bool repeats(std::span<const std::byte> run, std::size_t first) {
  return run.size() <= first || std::memcmp(run.data() + first, run.data(), run.size() - first) == 0;
}

}  // namespace

void fill(std::span<std::byte> buffer, DataType type, const Pattern& pattern, int rank) {
  with_type(type, [&](auto element) {
    using Bits = typename decltype(element)::Bits;
    const auto count = std::min<std::size_t>(pattern.period(), buffer.size() / sizeof(Bits));
    for (std::size_t index = 0; index < count; ++index) {
      const auto bits = element.bits(pattern.input(static_cast<std::uint64_t>(rank), index), 1);
      std::memcpy(buffer.data() + index * sizeof(Bits), &bits, sizeof(Bits));
    }
    if (count > 0) repeat(buffer, count * sizeof(Bits));
  });
}

WrongElements verify(std::span<const std::byte> buffer, const Collective& collective, const Shape& shape,
                     const Pattern& pattern, int rank, int ranks) {
  WrongElements wrong;
  with_type(collective.type, [&](auto element) {
    using Bits = typename decltype(element)::Bits;
    const auto parts = divisor(collective, ranks);
    const auto look = [&](std::size_t from, std::size_t end) {
      for (std::size_t index = from; index < end; ++index) {
        const auto wanted = element.bits(expected(collective, shape, pattern, rank, ranks, index), parts);
        Bits found = 0;
        std::memcpy(&found, buffer.data() + index * sizeof(Bits), sizeof(Bits));
        if (found == wanted) continue;
        if (wrong.count++ == 0) wrong.first = {.index = index, .expected_bits = wanted, .found_bits = found};
      }
    };
    const auto all = buffer.size() / sizeof(Bits);
    const auto length = run_length(collective, shape, ranks);
    for (std::size_t start = 0; start < all; start += length) {
      const auto end = std::min(start + length, all);
      const auto first = std::min<std::size_t>(start + pattern.period(), end);
      const auto before = wrong.count;
      look(start, first);
      // What repeats a period that is right is right; comparing takes a tenth of the time.
      const auto run = buffer.subspan(start * sizeof(Bits), (end - start) * sizeof(Bits));
      if (wrong.count > before || !repeats(run, (first - start) * sizeof(Bits))) look(first, end);
    }
  });
  return wrong;
}

}  // namespace muster::benchmarks
