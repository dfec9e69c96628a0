// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "benchmarks/data/number_format.hpp"
#include "benchmarks/data/scrambled.hpp"

// What matrices hold whose product a GPU computes: D = A B, all of them square, D(i, j) = sum over l of A(i, l) B(l,
// j). In memory A(i, l) stands at size * i + l, B(l, j) at size * j + l and D(i, j) at size * j + i. constexpr, so that
// a device can call it.
namespace muster::benchmarks {

enum class Arithmetic { fp64, tf32, bf16, fp16, fp8, int8 };

inline constexpr std::array arithmetics = {Arithmetic::fp64, Arithmetic::tf32, Arithmetic::bf16,
                                           Arithmetic::fp16, Arithmetic::fp8,  Arithmetic::int8};
inline constexpr std::size_t largest_product = 8192;

constexpr std::string_view to_text(Arithmetic arithmetic) {
  constexpr std::array<std::string_view, arithmetics.size()> names = {"fp64", "tf32", "bf16", "fp16", "fp8", "int8"};
  return names.at(static_cast<std::size_t>(arithmetic));
}

// Of A and B. fp8 is E4M3, whose mantissas are the longer ones.
constexpr NumberFormat format_of(Arithmetic arithmetic) {
  constexpr std::array<NumberFormat, arithmetics.size()> formats = {{
      {.bits = 64, .exponent_bits = 11, .mantissa_bits = 52},
      {.bits = 32, .exponent_bits = 8, .mantissa_bits = 10, .unused_bits = 13},
      {.bits = 16, .exponent_bits = 8, .mantissa_bits = 7},
      {.bits = 16, .exponent_bits = 5, .mantissa_bits = 10},
      {.bits = 8, .exponent_bits = 4, .mantissa_bits = 3},
      {.bits = 8},
  }};
  return formats[static_cast<std::size_t>(arithmetic)];
}

// Of D: double, float, or std::int32_t.
constexpr std::size_t result_bytes(Arithmetic arithmetic) { return arithmetic == Arithmetic::fp64 ? 8 : 4; }

// An element of D as it stands in the host's memory.
constexpr double result_at(Arithmetic arithmetic, std::span<const std::uint64_t> words, std::size_t index) {
  if (arithmetic == Arithmetic::fp64) return std::bit_cast<double>(words[index]);
  const auto bits = static_cast<std::uint32_t>(words[index / 2] >> (index % 2 == 0 ? 0U : 32U));
  if (arithmetic == Arithmetic::int8) return std::bit_cast<std::int32_t>(bits);
  return static_cast<double>(std::bit_cast<float>(bits));
}

// Magnitude of whole numbers whose sums of products are exact up to the largest size: below 2^53, 2^24 and 2^31. Tensor
// cores add up products of fp8 with fewer bits (14 on Hopper), so those sums are small: of 8192 random products of at
// most 4 they stay below 2^13 by forty standard deviations.
constexpr std::int64_t largest_whole(Arithmetic arithmetic) {
  constexpr std::array<std::int64_t, arithmetics.size()> largest = {1 << 18, 31, 31, 31, 2, 127};
  return largest[static_cast<std::size_t>(arithmetic)];
}

enum class Matrix : std::uint64_t { a, b };
enum class Numbers { random, whole };

struct ProductInput {
  Arithmetic arithmetic = Arithmetic::fp64;
  Numbers numbers = Numbers::random;
  std::size_t size = 0;
  std::uint64_t seed = 0;

  constexpr std::uint64_t word(Matrix matrix, std::uint64_t index) const {
    return scrambled(index + scrambled(2 * seed + static_cast<std::uint64_t>(matrix)));
  }
  // Where all numbers are whole.
  constexpr std::int64_t whole(Matrix matrix, std::uint64_t index) const {
    const auto largest = largest_whole(arithmetic);
    return static_cast<std::int64_t>(word(matrix, index) % static_cast<std::uint64_t>(2 * largest + 1)) - largest;
  }
  // As the format holds it.
  constexpr std::uint64_t element(Matrix matrix, std::uint64_t index) const {
    const auto format = format_of(arithmetic);
    return numbers == Numbers::whole ? format.encoded(whole(matrix, index)) : format.random(word(matrix, index));
  }
  constexpr double operations() const {
    const auto each = static_cast<double>(size);
    return 2 * each * each * each;
  }
};

}  // namespace muster::benchmarks
