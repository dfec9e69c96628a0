// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "benchmarks/data/scrambled.hpp"

namespace muster::benchmarks::disk {

// The numbers below `count` in an order that looks random, each once: the n-th of it. A Feistel network of four rounds
// over the next power of four, from which what is too large goes through again (Black and Rogaway 2002).
class Shuffle {
 public:
  Shuffle(std::uint64_t count, std::uint64_t seed)
      : count_(count), seed_(seed), half_((static_cast<int>(std::bit_width(count == 0 ? count : count - 1)) + 1) / 2) {}

  std::uint64_t operator()(std::uint64_t number) const {
    do number = once(number);
    while (number >= count_);
    return number;
  }

 private:
  std::uint64_t once(std::uint64_t number) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    auto left = number >> half_;
    auto right = number & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const auto next = left ^ (scrambled(seed_ ^ (round << 56) ^ right) & mask);
      left = right;
      right = next;
    }
    return left << half_ | right;
  }

  std::uint64_t count_;
  std::uint64_t seed_;
  int half_;  // bits of a half
};

}  // namespace muster::benchmarks::disk
