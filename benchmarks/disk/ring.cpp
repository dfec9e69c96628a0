// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::disk {
namespace {

// io_uring tells an error by a number below zero.
void expect(int result, std::string_view what) {
  if (result < 0) throw Error(fmt::format("io_uring cannot {}: {}", what, std::generic_category().message(-result)));
}

// For one thread that waits for what it began (Linux 6.1), else as older kernels have it.
void open(io_uring& ring, std::size_t depth) {
  const auto entries = static_cast<unsigned>(depth);
  if (io_uring_queue_init(entries, &ring, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN) == 0) return;
  expect(io_uring_queue_init(entries, &ring, 0), "be set up");
}

}  // namespace

Ring::Ring(int file, std::size_t depth, std::size_t block_bytes, bool registered_buffers)
    : block_bytes_(block_bytes),
      registered_buffers_(registered_buffers),
      memory_(depth * block_bytes / sizeof(double)),
      under_way_(depth) {
  finished_.reserve(depth);
  open(ring_, depth);
  try {
    if ((ring_.features & IORING_FEAT_EXT_ARG) == 0) throw Error("io_uring cannot wait until a time before Linux 5.11");
    expect(io_uring_register_files(&ring_, &file, 1), "register a file");
    const auto bytes = std::as_writable_bytes(memory_.values());
    const iovec all{bytes.data(), bytes.size()};
    if (registered_buffers_) expect(io_uring_register_buffers(&ring_, &all, 1), "register its buffers");
  } catch (const Error&) {
    io_uring_queue_exit(&ring_);
    throw;
  }
}

Ring::~Ring() { io_uring_queue_exit(&ring_); }

std::span<std::byte> Ring::buffer(std::size_t slot) {
  return std::as_writable_bytes(memory_.values()).subspan(slot * block_bytes_, block_bytes_);
}

void Ring::begin(const Transfer& transfer) {
  constexpr int file = 0;    // of the registered
  constexpr int memory = 0;  // of the registered
  auto* entry = io_uring_get_sqe(&ring_);
  if (entry == nullptr) throw Error("io_uring takes no more transfers than it was made for");
  auto* place = buffer(transfer.slot).data();
  const auto bytes = static_cast<unsigned>(block_bytes_);
  const bool reads = transfer.direction == Direction::read;
  if (registered_buffers_)
    reads ? io_uring_prep_read_fixed(entry, file, place, bytes, transfer.offset, memory)
          : io_uring_prep_write_fixed(entry, file, place, bytes, transfer.offset, memory);
  else
    reads ? io_uring_prep_read(entry, file, place, bytes, transfer.offset)
          : io_uring_prep_write(entry, file, place, bytes, transfer.offset);
  entry->flags |= IOSQE_FIXED_FILE;
  io_uring_sqe_set_data64(entry, transfer.slot);
  under_way_.at(transfer.slot) = transfer;
  // A disk that others keep busy gets it at once: it would run dry while a batch is made. The only one goes with
  // wait().
  if (count_++ > 0) expect(io_uring_submit(&ring_), "take a transfer");
}

void Ring::wait(std::optional<Time> until) {
  int result = 0;
  if (until) {
    const auto left = std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(*until - Time::clock::now()));
    constexpr std::int64_t per_second = 1'000'000'000;
    __kernel_timespec time{.tv_sec = left.count() / per_second, .tv_nsec = left.count() % per_second};
    io_uring_cqe* first = nullptr;
    result = io_uring_submit_and_wait_timeout(&ring_, &first, 1, &time, nullptr);
  } else if (count_ > 0) {
    result = io_uring_submit_and_wait(&ring_, 1);
  }
  if (result != -ETIME && result != -EINTR) expect(result, "wait for transfers");
}

std::span<const std::size_t> Ring::finished(std::optional<Time> until) {
  finished_.clear();
  do {
    wait(until);
    unsigned head = 0;
    unsigned seen = 0;
    io_uring_cqe* entry = nullptr;
    io_uring_for_each_cqe(&ring_, head, entry) {
      const auto& transfer = under_way_.at(io_uring_cqe_get_data64(entry));
      expect_whole(transfer, block_bytes_, entry->res);
      finished_.push_back(transfer.slot);
      ++seen;
    }
    io_uring_cq_advance(&ring_, seen);
    count_ -= seen;
  } while (finished_.empty() && !until && count_ > 0);
  return finished_;
}

}  // namespace muster::benchmarks::disk
