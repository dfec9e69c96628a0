// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/queue.hpp"

#include <fmt/format.h>

#include <utility>

#include "benchmarks/disk/disk_error.hpp"
#include "benchmarks/error.hpp"

namespace muster::benchmarks::disk {

std::string_view to_text(Direction direction) { return direction == Direction::read ? "read" : "write"; }

void expect_whole(const Transfer& transfer, std::size_t bytes, std::int64_t result) {
  if (std::cmp_equal(result, bytes)) return;
  const auto what = fmt::format("a {} of {} bytes at offset {}", to_text(transfer.direction), bytes, transfer.offset);
  if (result < 0) throw_transfer_error(static_cast<int>(-result), what + " failed");
  const auto words = fmt::format("{} ended after {} bytes", what, result);
  if (transfer.direction == Direction::read) throw DiskError(words);  // a drive that is gone ends where it begins
  throw Error(words);
}

}  // namespace muster::benchmarks::disk
