// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "benchmarks/data/word_memory.hpp"

namespace muster::tests {

// Words that hold what is written, but for a fault: what becomes of an index, of a word on its way in, and of one on
// its way out.
class FaultyWords final : public benchmarks::WordMemory {
 public:
  struct Fault {
    std::function<std::uint64_t(std::uint64_t index)> place = [](std::uint64_t index) { return index; };
    std::function<std::uint64_t(std::uint64_t index, std::uint64_t word)> stored =
        [](std::uint64_t, std::uint64_t word) { return word; };
    std::function<std::uint64_t(std::uint64_t index, std::uint64_t word)> found =
        [](std::uint64_t, std::uint64_t word) { return word; };
  };

  FaultyWords(std::size_t words, Fault fault) : words_(words), fault_(std::move(fault)) {}

  std::size_t words() const override { return words_.size(); }
  benchmarks::Sweep write(const benchmarks::WordPattern& pattern) override {
    for (std::uint64_t index = 0; index < words(); ++index) write_one(index, pattern.word(index));
    return sweep({});
  }
  benchmarks::Sweep verify(const benchmarks::WordPattern& pattern) override {
    benchmarks::Mismatches all;
    for (std::uint64_t index = 0; index < words(); ++index) compare(index, pattern.word(index), all);
    return sweep(all);
  }
  benchmarks::Sweep invert(const benchmarks::WordPattern& pattern, benchmarks::Order order) override {
    benchmarks::Mismatches all;
    for (std::uint64_t turn = 0; turn < words(); ++turn) {
      const auto index = order == benchmarks::Order::up ? turn : words() - 1 - turn;
      compare(index, pattern.word(index), all);
      write_one(index, ~pattern.word(index));
    }
    return sweep(all);
  }
  std::uint64_t read_one(std::uint64_t index) override { return fault_.found(index, words_[fault_.place(index)]); }
  void write_one(std::uint64_t index, std::uint64_t word) override {
    words_[fault_.place(index)] = fault_.stored(index, word);
  }

 private:
  static benchmarks::Sweep sweep(benchmarks::Mismatches mismatches) { return {.seconds = 1, .mismatches = mismatches}; }
  void compare(std::uint64_t index, std::uint64_t expected, benchmarks::Mismatches& all) {
    const auto found = read_one(index);
    if (found == expected) return;
    ++all.count;
    all.differing |= found ^ expected;
    if (!all.first || index < all.first->index) all.first = {index, expected, found};
  }

  std::vector<std::uint64_t> words_;
  Fault fault_;
};

}  // namespace muster::tests
