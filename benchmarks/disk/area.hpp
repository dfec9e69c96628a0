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

namespace muster::benchmarks {

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

  explicit Area(const OwnFile& file);

  const OwnFile& file() const { return file_; }
  // How far it has been written from its beginning without a gap.
  std::uint64_t written_bytes() const { return written_bytes_; }
  void extend_written(std::uint64_t bytes) { written_bytes_ = std::max(written_bytes_, bytes); }

  // Makes the buffer of a slot, a multiple of a block, ready for prepare(); once, as long as nothing but this area's
  // data comes into it. Neighbouring slots have other data.
  void fill(std::span<std::byte> buffer, std::size_t slot) const;
  // What is to be written at an offset, a multiple of a block, next.
  void prepare(std::span<std::byte> buffer, std::uint64_t offset) const;
  // The buffer of that slot has been written.
  void wrote(std::size_t bytes, std::uint64_t offset, std::size_t slot);

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
  // Of one block; its number of times, as that of 256 parts of the pattern, is one modulo 256.
  struct Written {
    std::uint8_t times = 0;
    std::uint8_t part = 0;
  };
  static constexpr std::size_t parts = 256;

  // That the buffer of a slot begins with.
  static std::size_t first_part(std::size_t bytes, std::size_t slot) { return slot * (bytes / block_bytes) % parts; }

  Stamp stamp(std::uint64_t block, std::uint8_t times) const;
  std::span<const std::byte> pattern(std::size_t part) const;
  void count_wrong(std::span<const std::byte> block, std::uint64_t number);

  const OwnFile& file_;
  std::uint64_t seed_;
  std::vector<std::byte> pattern_;
  std::vector<Written> blocks_;
  std::uint64_t written_bytes_ = 0;
  mutable std::mutex mutex_;
  WrongBlocks wrong_;
};

}  // namespace muster::benchmarks
