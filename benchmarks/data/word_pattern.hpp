// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "benchmarks/data/scrambled.hpp"

// What every word of a memory is written with, by where it is. constexpr, so that a device can call it.
namespace muster::benchmarks {

enum class Filling { constant, address, checkerboard, walking_one, random };

// The word at an index. Only walking ones (by how many bits they begin further up) and random words use the seed.
template <Filling filling>
constexpr std::uint64_t filled(std::uint64_t index, std::uint64_t seed) {
  if constexpr (filling == Filling::address) return index * sizeof(std::uint64_t);
  if constexpr (filling == Filling::checkerboard) return (index & 1) == 0 ? 0x5555555555555555 : 0xaaaaaaaaaaaaaaaa;
  if constexpr (filling == Filling::walking_one) return std::uint64_t{1} << ((index + seed) % 64);
  if constexpr (filling == Filling::random) {
    const auto of_two = scrambled(index / 2 ^ seed);  // halves the work
    return (index & 1) == 0 ? of_two : std::rotl(of_two, 29) ^ 0x9e3779b97f4a7c15;
  }
  return 0;
}

// Calls `use` with the filling as a constant.
template <class Use>
constexpr auto with_filling(Filling filling, const Use& use) {
  switch (filling) {
    case Filling::constant:
      return use.template operator()<Filling::constant>();
    case Filling::address:
      return use.template operator()<Filling::address>();
    case Filling::checkerboard:
      return use.template operator()<Filling::checkerboard>();
    case Filling::walking_one:
      return use.template operator()<Filling::walking_one>();
    case Filling::random:
      break;
  }
  return use.template operator()<Filling::random>();
}

struct WordPattern {
  Filling filling = Filling::constant;
  std::uint64_t seed = 0;
  std::uint64_t flipped = 0;  // bits that are the other way round

  constexpr WordPattern inverse() const { return {.filling = filling, .seed = seed, .flipped = ~flipped}; }
  constexpr std::uint64_t word(std::uint64_t index) const {
    return with_filling(filling, [&]<Filling constant>() { return filled<constant>(index, seed); }) ^ flipped;
  }
};

}  // namespace muster::benchmarks
