// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "benchmarks/collectives/collective.hpp"

// The data of a collective in host memory.
namespace muster::benchmarks {

struct WrongElement {
  std::size_t index = 0;
  std::uint64_t expected_bits = 0;
  std::uint64_t found_bits = 0;

  bool operator==(const WrongElement&) const = default;
};

struct WrongElements {
  std::size_t count = 0;
  std::optional<WrongElement> first;
};

// Writes what a rank gives, as elements of the type.
void fill(std::span<std::byte> buffer, DataType type, const Pattern& pattern, int rank);

// Holds every element, bit by bit, against what must be there.
WrongElements verify(std::span<const std::byte> buffer, const Collective& collective, const Shape& shape,
                     const Pattern& pattern, int rank, int ranks);

}  // namespace muster::benchmarks
