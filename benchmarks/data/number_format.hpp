// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::benchmarks {

// How a matrix holds a number, in at most 64 bits: sign, exponent and mantissa as IEEE 754 has them, or a whole number
// in two's complement. constexpr, so that a device can call it.
struct NumberFormat {
  unsigned bits = 0;           // that an element takes in memory
  unsigned exponent_bits = 0;  // 0 for whole numbers
  unsigned mantissa_bits = 0;
  unsigned unused_bits = 0;  // the lowest, always 0

  constexpr unsigned bytes() const { return bits / 8; }

  // A whole number that the format can hold exactly.
  constexpr std::uint64_t encoded(std::int64_t number) const {
    if (exponent_bits == 0) return static_cast<std::uint64_t>(number) & low(bits);
    if (number == 0) return 0;
    const auto magnitude = static_cast<std::uint64_t>(number < 0 ? -number : number);
    unsigned exponent = 0;
    while (magnitude >> exponent > 1) ++exponent;
    const auto mantissa = magnitude << (mantissa_bits - exponent) & low(mantissa_bits);
    return composed(number < 0 ? 1 : 0, bias() + exponent, mantissa);
  }

  // A number of any mantissa, of magnitude 1/4 to 1, or any whole number.
  constexpr std::uint64_t random(std::uint64_t word) const {
    if (exponent_bits == 0) return word & low(bits);
    return composed(word >> 63, bias() - 1 - (word >> 62 & 1), word & low(mantissa_bits));
  }

  // The number that bits stand for; none that is infinite, subnormal or not a number.
  constexpr double decoded(std::uint64_t encoded) const {
    if (exponent_bits == 0) {
      const auto negative = (encoded >> (bits - 1) & 1) != 0;
      return static_cast<double>(static_cast<std::int64_t>(encoded | (negative ? ~low(bits) : 0)));
    }
    if (encoded == 0) return 0;
    const auto used = encoded >> unused_bits;
    const auto exponent = used >> mantissa_bits & low(exponent_bits);
    auto value = static_cast<double>((used & low(mantissa_bits)) | std::uint64_t{1} << mantissa_bits);
    for (auto power = exponent; power < bias() + mantissa_bits; ++power) value /= 2;
    for (auto power = bias() + mantissa_bits; power < exponent; ++power) value *= 2;
    return (used >> (exponent_bits + mantissa_bits) & 1) != 0 ? -value : value;
  }

 private:
  static constexpr std::uint64_t low(unsigned count) { return ~std::uint64_t{0} >> (64 - count); }
  constexpr std::uint64_t bias() const { return low(exponent_bits - 1); }
  constexpr std::uint64_t composed(std::uint64_t sign, std::uint64_t exponent, std::uint64_t mantissa) const {
    return ((sign << exponent_bits | exponent) << mantissa_bits | mantissa) << unused_bits;
  }
};

}  // namespace muster::benchmarks
