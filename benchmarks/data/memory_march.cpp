// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/data/memory_march.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <string_view>
#include <thread>

namespace muster::benchmarks {
namespace {

using std::chrono::milliseconds;

constexpr int bits_of_a_word = 64;
constexpr milliseconds fade{10'000};  // more than a hundred times as long as a row of DRAM waits for its refresh

// What the memory should hold at the mismatch now is not what was expected where an inverting sweep has written over
// it. A bit that is stuck shows only under the word that was expected.
FirstMismatch look_again(WordMemory& memory, const Mismatch& mismatch, std::uint64_t now) {
  const auto& [index, expected, found] = mismatch;
  if (now == expected && memory.read_one(index) == expected) return {mismatch, Persistence::until_read_again};
  memory.write_one(index, expected);
  const bool right = memory.read_one(index) == expected;
  memory.write_one(index, now);
  return {mismatch, right ? Persistence::until_written_again : Persistence::forever};
}

// Adds the sweeps of a march up.
class Total {
 public:
  explicit Total(WordMemory& memory) : memory_(memory) {}

  void write(const WordPattern& pattern) { add(memory_.write(pattern), 1); }
  void invert(const WordPattern& pattern, Order order) { look(memory_.invert(pattern, order), 2, pattern.inverse()); }
  void verify(const WordPattern& pattern) { look(memory_.verify(pattern), 1, pattern); }
  const Marched& marched() const { return marched_; }

 private:
  void add(const Sweep& sweep, int ways) {
    marched_.seconds += sweep.seconds;
    marched_.bytes += ways * static_cast<double>(memory_.words() * sizeof(std::uint64_t));
  }

  void look(const Sweep& sweep, int ways, const WordPattern& now) {
    add(sweep, ways);
    marched_.wrong += sweep.mismatches.count;
    marched_.differing |= sweep.mismatches.differing;
    const auto& first = sweep.mismatches.first;
    if (first && !marched_.first) marched_.first = look_again(memory_, *first, now.word(first->index));
  }

  WordMemory& memory_;
  Marched marched_;
};

std::string_view words(Persistence persistence) {
  switch (persistence) {
    case Persistence::until_read_again:
      return "right when it was read again";
    case Persistence::until_written_again:
      return "right when it was written again";
    case Persistence::forever:
      break;
  }
  return "wrong again when it was written again";
}

}  // namespace

std::vector<March> marches(std::uint64_t seed, bool thoroughly) {
  const WordPattern zeros{};
  const WordPattern checkerboard{.filling = Filling::checkerboard};
  std::vector<March> all = {
      {.name = "address", .pattern = {.filling = Filling::address}},
      {.name = "random", .pattern = {.filling = Filling::random, .seed = seed}},
      {.name = "checkerboard", .pattern = checkerboard},
      {.name = "inverse checkerboard", .pattern = checkerboard.inverse()},
      {.name = "moving inversions", .pattern = zeros, .moves_inversions = true},
  };
  for (std::uint64_t turn = 0; turn < (thoroughly ? bits_of_a_word : 1); ++turn) {
    const WordPattern one{.filling = Filling::walking_one, .seed = turn};
    all.push_back({.name = "walking ones", .pattern = one});
    all.push_back({.name = "walking zeros", .pattern = one.inverse()});
  }
  if (thoroughly) {
    all.push_back({.name = "fading zeros", .pattern = zeros, .pause = fade});
    all.push_back({.name = "fading ones", .pattern = zeros.inverse(), .pause = fade});
  }
  return all;
}

Marched march(WordMemory& memory, const March& how) {
  Total total(memory);
  total.write(how.pattern);
  std::this_thread::sleep_for(how.pause);
  if (how.moves_inversions) {
    for (const auto order : {Order::up, Order::down}) {
      total.invert(how.pattern, order);
      total.invert(how.pattern.inverse(), order);
    }
  }
  total.verify(how.pattern);
  return total.marched();
}

std::string bit_positions(std::uint64_t bits) {
  constexpr int most = 8;
  std::vector<int> positions;
  for (int position = 0; position < bits_of_a_word; ++position)
    if ((bits >> position & 1) != 0) positions.push_back(position);
  if (positions.size() > most) return fmt::format("{} bits", std::popcount(bits));
  return fmt::format("{} {}", positions.size() == 1 ? "bit" : "bits", fmt::join(positions, ", "));
}

std::string to_text(const FirstMismatch& first) {
  const auto& [index, expected, found] = first.mismatch;
  return fmt::format("offset {:#x} holds {:016x} instead of {:016x}: {}; {}", index * sizeof(std::uint64_t), found,
                     expected, bit_positions(expected ^ found), words(first.persistence));
}

}  // namespace muster::benchmarks
