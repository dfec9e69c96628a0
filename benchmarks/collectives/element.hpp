// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "benchmarks/collectives/collective.hpp"

// What the elements of a collective must be, bit by bit. constexpr, so that a device can call it.
namespace muster::benchmarks {

// A type of elements: their bits, and the bits of a quotient of whole numbers, rounded down where there are no
// fractions. The type must hold the quotient exactly.
template <class Number, class Unsigned>
struct Element {
  using Bits = Unsigned;
  static constexpr bool has_fractions = std::is_floating_point_v<Number>;
  static constexpr Bits bits(std::uint64_t whole, std::uint64_t divisor) {
    if constexpr (has_fractions)
      return std::bit_cast<Bits>(static_cast<Number>(whole) / static_cast<Number>(divisor));
    else
      return static_cast<Bits>(whole / divisor);
  }
};

using Float32 = Element<float, std::uint32_t>;

struct Float16 {
  using Bits = std::uint16_t;
  static constexpr bool has_fractions = true;
  static constexpr Bits bits(std::uint64_t whole, std::uint64_t divisor) {
    constexpr std::uint32_t between_biases = 127 - 15;
    const auto single = Float32::bits(whole, divisor);
    return static_cast<Bits>(single == 0 ? 0 : (single >> 13) - (between_biases << 10));
  }
};

struct Bfloat16 {
  using Bits = std::uint16_t;
  static constexpr bool has_fractions = true;
  static constexpr Bits bits(std::uint64_t whole, std::uint64_t divisor) {
    return static_cast<Bits>(Float32::bits(whole, divisor) >> 16);
  }
};

// Calls `use` with the type of the elements.
template <class Use>
constexpr auto with_type(DataType type, const Use& use) {
  switch (type) {
    case DataType::float32:
      return use(Float32{});
    case DataType::float64:
      return use(Element<double, std::uint64_t>{});
    case DataType::float16:
      return use(Float16{});
    case DataType::bfloat16:
      return use(Bfloat16{});
    case DataType::int8:
      return use(Element<std::int8_t, std::uint8_t>{});
    case DataType::int32:
      return use(Element<std::int32_t, std::uint32_t>{});
    case DataType::int64:
    case DataType::uint64:
      break;
  }
  return use(Element<std::uint64_t, std::uint64_t>{});
}

// What must be at an index of the receiving buffer of a rank, before it is divided where that is an average.
constexpr std::uint64_t expected(const Collective& collective, const Shape& shape, const Pattern& pattern, int rank,
                                 int ranks, std::size_t index) {
  const auto own = static_cast<std::size_t>(rank);
  const auto all = static_cast<std::size_t>(ranks);
  switch (collective.operation) {
    case Operation::allreduce:
      return pattern.reduced(index);
    case Operation::reduce_scatter:
      return pattern.reduced(own * shape.receive + index);
    case Operation::all_gather:
      return pattern.input(index / shape.send, index % shape.send);
    case Operation::broadcast:
      return pattern.input(0, index);
    case Operation::all_to_all: {
      const auto part = shape.receive / all;
      return pattern.input(index / part, own * part + index % part);
    }
    case Operation::send_receive:
      return pattern.input((own + all - 1) % all, index);
  }
  return 0;
}

// By what the reduced numbers are divided.
constexpr std::uint64_t divisor(const Collective& collective, int ranks) {
  const bool is_average = reduces(collective.operation) && collective.reduction == Reduction::avg;
  return is_average ? static_cast<std::uint64_t>(ranks) : 1;
}

}  // namespace muster::benchmarks
