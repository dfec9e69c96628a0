// SPDX-License-Identifier: Apache-2.0
// Queues that do what MUSTER_FAULT says, linked in place of those of benchmarks/disk/engine.cpp.
#include <fcntl.h>

#include <atomic>
#include <cerrno>
#include <utility>
#include <vector>

#include "benchmarks/disk/blocking.hpp"
#include "benchmarks/disk/engine.hpp"
#include "tests/support/injected.hpp"

namespace muster::benchmarks::disk {
namespace {

using tests::is_injected;

// Of all queues, every so many transfers one is met.
constexpr std::size_t often = 100;
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): queues share them
std::atomic<std::size_t> all_begun = 0;
std::atomic<bool> has_flipped = false;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
constexpr std::size_t flipped_byte = 1000;

class Faulty final : public Queue {
 public:
  Faulty(std::unique_ptr<Queue> queue, std::size_t block_bytes) : queue_(std::move(queue)), block_bytes_(block_bytes) {}

  std::size_t depth() const override { return queue_->depth(); }
  std::span<std::byte> buffer(std::size_t slot) override { return queue_->buffer(slot); }

  void begin(const Transfer& transfer) override {
    const bool writes = transfer.direction == Direction::write;
    const bool now = ++all_begun % often == 0;
    if (!writes && now && is_injected("read_error")) expect_whole(transfer, block_bytes_, -EIO);
    if (!writes && has_flipped && is_injected("one_flipped_stamp_then_errors"))
      expect_whole(transfer, block_bytes_, -EIO);
    if (writes && now && is_injected("no_space")) expect_whole(transfer, block_bytes_, -ENOSPC);
    if (writes && now && is_injected("lost_write")) {
      lost_.push_back(transfer.slot);
      return;
    }
    reads_ = !writes;
    queue_->begin(transfer);
  }

  std::span<const std::size_t> finished(std::optional<Time> until) override {
    if (!lost_.empty()) return told_ = std::exchange(lost_, {});
    const auto slots = queue_->finished(until);
    if (reads_ && is_injected("flipped_bit"))
      for (const auto slot : slots) buffer(slot)[flipped_byte] ^= std::byte{1};
    if (reads_ && is_injected("flipped_stamp"))
      for (const auto slot : slots) buffer(slot)[0] ^= std::byte{1};
    const bool flips_one = is_injected("one_flipped_stamp") || is_injected("one_flipped_stamp_then_errors");
    if (reads_ && !slots.empty() && flips_one && !has_flipped.exchange(true)) buffer(slots.front())[0] ^= std::byte{1};
    return slots;
  }

 private:
  std::unique_ptr<Queue> queue_;
  std::size_t block_bytes_;
  bool reads_ = false;
  std::vector<std::size_t> lost_;
  std::vector<std::size_t> told_;
};

}  // namespace

Engine usable_engine(std::size_t /*buffer_bytes*/) {
  return {.words = "preadv2 and pwritev2 of a test", .ring = false};
}

std::unique_ptr<Queue> make_queue(const Engine& /*engine*/, int file, std::size_t /*depth*/, std::size_t block_bytes) {
  if (is_injected("page_cache")) fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_DIRECT);
  return std::make_unique<Faulty>(std::make_unique<Blocking>(file, block_bytes), block_bytes);
}

}  // namespace muster::benchmarks::disk
