// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/data/word_memory.hpp"

// Whether a memory keeps what is written to it: patterns go through all of its words (marches, van de Goor 1991).
namespace muster::benchmarks {

struct March {
  std::string name;
  WordPattern pattern;
  // Inverts every word twice on ways up, and twice on ways down, before the last look (March C-): finds cells that
  // disturb others, which may be above or below them.
  bool moves_inversions = false;
  std::chrono::milliseconds pause{};  // between writing and looking: finds cells that forget
};

// All patterns; `thoroughly` walks through all 64 bits of every word, and waits.
std::vector<March> marches(std::uint64_t seed, bool thoroughly);

// What became of a wrong word: it was right when it was read again, or when it had been written again, or never.
enum class Persistence { until_read_again, until_written_again, forever };

struct FirstMismatch {
  Mismatch mismatch;
  Persistence persistence = Persistence::forever;
};

struct Marched {
  double bytes = 0;  // read and written
  double seconds = 0;
  std::uint64_t wrong = 0;
  std::uint64_t differing = 0;  // the bits that differ in any wrong word
  std::optional<FirstMismatch> first;
};

// Throws what the memory throws.
Marched march(WordMemory& memory, const March& how);

// "bits 3, 17": which are set, at most 8 of them by name.
std::string bit_positions(std::uint64_t bits);

// "offset 0x10 holds 0000000000000008 instead of ...: bit 3; right when it was read again"
std::string to_text(const FirstMismatch& first);

}  // namespace muster::benchmarks
