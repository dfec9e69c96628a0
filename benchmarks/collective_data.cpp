// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collective_data.hpp"

#include <cstring>

namespace muster::benchmarks {
namespace {

// Calls `use` with a value of the C++ type of the elements.
template <class Use>
void with_type(DataType type, const Use& use) {
  switch (type) {
    case DataType::float32:
      return use(float{});
    case DataType::float64:
      return use(double{});
    case DataType::int8:
      return use(std::int8_t{});
    case DataType::int32:
      return use(std::int32_t{});
    case DataType::int64:
      return use(std::int64_t{});
    case DataType::uint64:
      return use(std::uint64_t{});
  }
}

template <class Element>
std::uint64_t bits(Element element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &element, sizeof(element));
  return bits;
}

template <class Element>
Element load(const std::byte* at) {
  Element element;
  std::memcpy(&element, at, sizeof(element));
  return element;
}

}  // namespace

void fill(std::span<std::byte> buffer, DataType type, const Pattern& pattern, int rank) {
  with_type(type, [&](auto zero) {
    using Element = decltype(zero);
    const auto count = buffer.size() / sizeof(Element);
    for (std::size_t index = 0; index < count; ++index) {
      const auto element = static_cast<Element>(pattern.input(static_cast<std::uint64_t>(rank), index));
      std::memcpy(buffer.data() + index * sizeof(Element), &element, sizeof(Element));
    }
  });
}

WrongElements verify(std::span<const std::byte> buffer, const Collective& collective, const Shape& shape,
                     const Pattern& pattern, int rank, int ranks) {
  WrongElements wrong;
  with_type(collective.type, [&](auto zero) {
    using Element = decltype(zero);
    for (std::size_t index = 0; index < buffer.size() / sizeof(Element); ++index) {
      const auto wanted = static_cast<Element>(expected(collective, shape, pattern, rank, ranks, index));
      const auto found = load<Element>(buffer.data() + index * sizeof(Element));
      if (bits(found) == bits(wanted)) continue;
      if (wrong.count++ == 0) wrong.first = {.index = index, .expected_bits = bits(wanted), .found_bits = bits(found)};
    }
  });
  return wrong;
}

}  // namespace muster::benchmarks
