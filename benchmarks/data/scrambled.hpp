// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::benchmarks {

// 64 bits that look random, others for every number (splitmix64, Steele, Lea and Flood 2014).
constexpr std::uint64_t scrambled(std::uint64_t number) {
  auto bits = (number + 1) * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

}  // namespace muster::benchmarks
