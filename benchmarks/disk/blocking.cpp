// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/blocking.hpp"

#include <sys/uio.h>

#include <cerrno>
#include <thread>
#include <utility>

namespace muster::benchmarks::disk {

Blocking::Blocking(int file, std::size_t block_bytes) : file_(file), memory_(block_bytes / sizeof(double)) {}

std::span<std::byte> Blocking::buffer(std::size_t /*slot*/) { return std::as_writable_bytes(memory_.values()); }

void Blocking::begin(const Transfer& transfer) {
  const auto memory = buffer(only_slot);
  const iovec place{memory.data(), memory.size()};
  const auto offset = static_cast<off_t>(transfer.offset);
  ssize_t result = 0;
  do {
    result = transfer.direction == Direction::read ? preadv2(file_, &place, 1, offset, 0)
                                                   : pwritev2(file_, &place, 1, offset, 0);
  } while (result < 0 && errno == EINTR);
  expect_whole(transfer, memory.size(), result < 0 ? -errno : result);
  done_ = true;
}

std::span<const std::size_t> Blocking::finished(std::optional<Time> until) {
  if (std::exchange(done_, false)) return {&only_slot, 1};
  if (until) std::this_thread::sleep_until(*until);
  return {};
}

}  // namespace muster::benchmarks::disk
