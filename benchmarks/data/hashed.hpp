// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "benchmarks/data/scrambled.hpp"

namespace muster::benchmarks {

// What a word adds to the hash of many, by where it is; sums wrap around, so their order does not matter. One word that
// differs always changes the hash. constexpr, so that a device can call it.
constexpr std::uint64_t hash_of(std::uint64_t index, std::uint64_t word) { return scrambled(word ^ scrambled(index)); }

}  // namespace muster::benchmarks
