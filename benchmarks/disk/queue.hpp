// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace muster::benchmarks::disk {

enum class Direction { read, write };

std::string_view to_text(Direction direction);

// A block between the file of a queue and the buffer of one of its slots.
struct Transfer {
  Direction direction = Direction::read;
  std::uint64_t offset = 0;
  std::size_t slot = 0;
};

// Throws DiskError or Error where a transfer of so many bytes did not come to its end. `result` is as of pread(2) in
// the kernel: bytes, or an error number below zero.
void expect_whole(const Transfer& transfer, std::size_t bytes, std::int64_t result);

// Transfers of blocks of one size, several under way at once. For the thread that made it.
class Queue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Queue() = default;
  virtual ~Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // How many transfers it takes at once: slots are 0 to depth() - 1.
  virtual std::size_t depth() const = 0;
  virtual std::span<std::byte> buffer(std::size_t slot) = 0;
  // The slot and its buffer belong to the transfer until finished() names the slot.
  virtual void begin(const Transfer& transfer) = 0;
  // The slots of transfers that are complete: at least one, or none at a time that was given, or where none is under
  // way. Valid until the next call. Throws DiskError, and Error where another than the disk is the reason.
  virtual std::span<const std::size_t> finished(std::optional<Time> until = {}) = 0;
};

}  // namespace muster::benchmarks::disk
