// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::benchmarks {

enum class Reduction { sum, prod, min, max, avg };

// The data of a collective: whole numbers of which every result is known and exact, that differ from one iteration to
// the next at every index, and that no rank's part can be missing from without a trace. constexpr throughout, so that
// a device can call it.
class Pattern {
 public:
  // `greatest` is the greatest whole number up to which the type holds all. Where the sum of all ranks' numbers would
  // be above it, one rank in turn gives a number and the others the neutral element: MPI may clip what overflows.
  constexpr Pattern(Reduction reduction, int ranks, std::uint64_t iteration, std::uint64_t greatest)
      : reduction_(reduction),
        ranks_(static_cast<std::uint64_t>(ranks)),
        iteration_(iteration),
        all_give_((reduction == Reduction::sum || reduction == Reduction::avg) &&
                  ranks_ <= greatest / (max_base + shares)) {}

  // Of data that only move: no two of 9,312 ranks give the same.
  static constexpr Pattern moved(std::uint64_t iteration) {
    Pattern pattern(Reduction::sum, 1, iteration, UINT64_MAX);
    pattern.only_moves_ = true;
    return pattern;
  }

  // What a rank gives at an index; at most 127.
  constexpr std::uint64_t input(std::uint64_t rank, std::uint64_t index) const {
    if (only_moves_) return base(index * (1 + rank / bases % (bases - 1)) + rank);
    const auto value = base(index);
    if (all_give_) return value + share(rank);
    if ((index + iteration_) % ranks_ == rank) return value;
    switch (reduction_) {
      case Reduction::sum:
      case Reduction::avg:
        return 0;
      case Reduction::prod:
        return 1;
      case Reduction::min:
        return value + 1;
      case Reduction::max:
        break;
    }
    return value - 1;
  }

  // What the reduction over all ranks gives at an index; for an average, before it is divided by their number.
  constexpr std::uint64_t reduced(std::uint64_t index) const {
    if (!all_give_) return base(index);
    return ranks_ * base(index) + ranks_ / shares * sum_below(shares) + sum_below(ranks_ % shares);
  }

  // After so many indices both repeat.
  constexpr std::uint64_t period() const { return all_give_ ? bases : bases * ranks_; }

 private:
  static constexpr std::uint64_t bases = 97;  // a prime, so that no power of two of elements repeats them
  static constexpr std::uint64_t step = 13;
  static constexpr std::uint64_t min_base = 2;  // not the neutral element of any reduction
  static constexpr std::uint64_t max_base = min_base + bases - 1;
  static constexpr std::uint64_t shares = 16;

  constexpr std::uint64_t base(std::uint64_t index) const { return (index + step * iteration_) % bases + min_base; }
  static constexpr std::uint64_t share(std::uint64_t rank) { return rank % shares; }
  static constexpr std::uint64_t sum_below(std::uint64_t end) { return end == 0 ? 0 : end * (end - 1) / 2; }

  Reduction reduction_;
  std::uint64_t ranks_;
  std::uint64_t iteration_;
  bool all_give_;
  bool only_moves_ = false;
};

}  // namespace muster::benchmarks
