// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::benchmarks {

// Fills memory with bytes that look random and differ from place to place, another sequence for each seed.
void fill(std::span<std::byte> memory, std::uint64_t seed);

// How many bytes are not what fill() leaves.
std::size_t wrong_bytes(std::span<const std::byte> memory, std::uint64_t seed);

}  // namespace muster::benchmarks
