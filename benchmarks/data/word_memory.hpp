// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "benchmarks/data/word_pattern.hpp"

namespace muster::benchmarks {

// A word that was not what had been written.
struct Mismatch {
  std::uint64_t index = 0;
  std::uint64_t expected = 0;
  std::uint64_t found = 0;

  bool operator==(const Mismatch&) const = default;
};

// The first word in which two memories of one size differ.
constexpr std::optional<Mismatch> first_difference(std::span<const std::uint64_t> found,
                                                   std::span<const std::uint64_t> expected) {
  for (std::size_t index = 0; index < found.size(); ++index)
    if (found[index] != expected[index]) return Mismatch{index, expected[index], found[index]};
  return std::nullopt;
}

struct Mismatches {
  std::uint64_t count = 0;
  std::uint64_t differing = 0;    // the bits that differ in any of them
  std::optional<Mismatch> first;  // of those that were noted, the lowest
};

// One way through all words, in seconds of the memory's own clock.
struct Sweep {
  double seconds = 0;
  Mismatches mismatches = {};
};

enum class Order { up, down };

// A memory of 64-bit words that is tested where it is. What is read comes from the memory itself and from no cache. All
// throw Error where the memory cannot be reached.
class WordMemory {
 public:
  virtual ~WordMemory() = default;
  WordMemory(const WordMemory&) = delete;
  WordMemory& operator=(const WordMemory&) = delete;

  virtual std::size_t words() const = 0;
  virtual Sweep write(const WordPattern& pattern) = 0;
  virtual Sweep verify(const WordPattern& pattern) = 0;
  // Holds each word against the pattern and writes the inverse there, in this order.
  virtual Sweep invert(const WordPattern& pattern, Order order) = 0;

  virtual std::uint64_t read_one(std::uint64_t index) = 0;
  virtual void write_one(std::uint64_t index, std::uint64_t word) = 0;

 protected:
  WordMemory() = default;
};

}  // namespace muster::benchmarks
