// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "benchmarks/data/product_numbers.hpp"
#include "benchmarks/data/scrambled.hpp"

// Whether a product of matrices of whole numbers is right, without computing it again: A (B x) = D x for a random x
// (Freivalds 1977). All sums are whole and wrap around at 2^64, so their order does not matter. An element that is
// wrong by e * 2^t, e odd, is overlooked with a chance of 2^(t - 64). constexpr, so that a device can call it.
namespace muster::benchmarks {

// x at a column.
constexpr std::uint64_t weight(std::uint64_t seed, std::uint64_t column) {
  return scrambled(column + scrambled(~seed));
}

// What is found in a product, as bits of a whole number; where it is none, a number that no sum expects.
constexpr std::uint64_t whole_bits(double found) {
  constexpr double most = 9e15;  // 2^53, where doubles stop being exact
  constexpr std::uint64_t of_none = 0x9e3779b97f4a7c15;
  const bool fits = found > -most && found < most;  // as no NaN does
  if (!fits) return of_none;
  const auto whole = static_cast<std::int64_t>(found);
  return static_cast<double>(whole) == found ? static_cast<std::uint64_t>(whole) : of_none;
}

// A part of one row: the sum of entry(column) * factor(column).
template <class Entry, class Factor>
constexpr std::uint64_t weighed(std::size_t begin, std::size_t end, const Entry& entry, const Factor& factor) {
  std::uint64_t sum = 0;
  for (std::size_t column = begin; column < end; ++column) sum += entry(column) * factor(column);
  return sum;
}

// The rows of A, of B by what it stands before, and of D, each as weighed() takes them.
constexpr auto row_of_a(const ProductInput& input, std::size_t row) {
  return [input, row](std::size_t column) {
    return static_cast<std::uint64_t>(input.whole(Matrix::a, input.size * row + column));
  };
}
constexpr auto row_of_b(const ProductInput& input, std::size_t row) {
  return [input, row](std::size_t column) {
    return static_cast<std::uint64_t>(input.whole(Matrix::b, input.size * column + row));
  };
}
template <class Element>
constexpr auto row_of_product(const Element* product, std::size_t size, std::size_t row) {
  return [product, size, row](std::size_t column) {
    return whole_bits(static_cast<double>(product[size * column + row]));
  };
}

// D(row, column) as it must be.
constexpr std::int64_t exact_element(const ProductInput& input, std::size_t row, std::size_t column) {
  const auto of_b = [&](std::size_t inner) {
    return static_cast<std::uint64_t>(input.whole(Matrix::b, input.size * column + inner));
  };
  return static_cast<std::int64_t>(weighed(0, input.size, row_of_a(input, row), of_b));
}

// Rows for which two sums differ.
struct WrongRows {
  std::size_t count = 0;
  std::optional<std::size_t> first;
};
constexpr WrongRows wrong_rows(std::span<const std::uint64_t> expected, std::span<const std::uint64_t> found) {
  WrongRows wrong;
  for (std::size_t row = 0; row < expected.size(); ++row) {
    if (expected[row] == found[row]) continue;
    if (!wrong.first) wrong.first = row;
    ++wrong.count;
  }
  return wrong;
}

// An element of a product, as it must be and as it is; nothing where all of the row is right.
struct WrongProductElement {
  std::size_t row = 0;
  std::size_t column = 0;
  std::int64_t expected = 0;
  double found = 0;

  bool operator==(const WrongProductElement&) const = default;
};
constexpr std::optional<WrongProductElement> wrong_element(const ProductInput& input, std::size_t row,
                                                           std::span<const std::uint64_t> product) {
  for (std::size_t column = 0; column < input.size; ++column) {
    const auto expected = exact_element(input, row, column);
    const double found = result_at(input.arithmetic, product, input.size * column + row);
    if (static_cast<double>(expected) != found)
      return WrongProductElement{.row = row, .column = column, .expected = expected, .found = found};
  }
  return std::nullopt;
}

}  // namespace muster::benchmarks
