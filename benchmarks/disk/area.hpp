// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/disk/own_file.hpp"

namespace muster::benchmarks::disk {

// Blocks that are not what was written there.
struct WrongBlocks {
  std::uint64_t count = 0;
  std::string first;  // how the one differs that was met first
};

// The data of a file of ours, known byte for byte: every block of 4096 bytes looks random, and says where it belongs
// and how often it was written. Threads may share it where they do not write the same blocks.
class Area {
 public:
  static constexpr std::size_t block_bytes = 4096;
  static constexpr std::size_t pieces = 256;  // of the pattern: of a block each, but for what it says of itself
  static constexpr std::size_t pattern_bytes = pieces * block_bytes;

  explicit Area(const OwnFile& file);

  const OwnFile& file() const { return file_; }
  // How far it has been written from its beginning without a gap.
  std::uint64_t written_bytes() const { return written_bytes_; }
  void extend_written(std::uint64_t bytes) { written_bytes_ = std::max(written_bytes_, bytes); }

  // Makes a buffer, a multiple of a block, ready for prepare(), with the pattern from this piece on; it stays so as
  // long as nothing but this area's data comes into it.
  void fill(std::span<std::byte> buffer, std::size_t piece) const;
  // What is to be written at an offset, a multiple of a block, next.
  void prepare(std::span<std::byte> buffer, std::uint64_t offset) const;
  // It has been written, with the pattern from that piece on.
  void wrote(std::size_t bytes, std::uint64_t offset, std::size_t piece);

  // Looks at what was read: at every byte, or only at what its first block says of itself. How many blocks are wrong.
  std::uint64_t verify(std::span<const std::byte> buffer, std::uint64_t offset);
  std::uint64_t glance(std::span<const std::byte> buffer, std::uint64_t offset);
  WrongBlocks wrong() const;

 private:
  struct Stamp {
    std::uint64_t place;
    std::uint64_t times;

    bool operator==(const Stamp&) const = default;
  };
  // Of one block, both modulo 256.
  struct Written {
    std::uint8_t times = 0;
    std::uint8_t piece = 0;
  };
  static_assert(pieces == 256);

  Stamp stamp(std::uint64_t block, std::uint8_t times) const;
  std::span<const std::byte> pattern(std::size_t piece) const;
  void count_wrong(std::span<const std::byte> block, std::uint64_t number);

  const OwnFile& file_;
  std::uint64_t seed_;
  std::vector<std::byte> pattern_;
  std::vector<Written> blocks_;
  std::uint64_t written_bytes_ = 0;
  mutable std::mutex mutex_;
  WrongBlocks wrong_;
};

}  // namespace muster::benchmarks::disk
