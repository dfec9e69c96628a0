// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/queue.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace muster::benchmarks {
namespace {

std::string words_of(const Transfer& transfer, std::size_t bytes, std::int64_t result) {
  const auto what = fmt::format("{} of {} bytes at offset {}", to_text(transfer.direction), bytes, transfer.offset);
  if (result >= 0) return fmt::format("a {} ended after {} bytes", what, result);
  return fmt::format("a {} failed: {}", what, std::generic_category().message(static_cast<int>(-result)));
}

}  // namespace

std::string_view to_text(Direction direction) { return direction == Direction::read ? "read" : "write"; }

TransferError::TransferError(const Transfer& transfer, std::size_t bytes, std::int64_t result)
    : Error(words_of(transfer, bytes, result)) {}

}  // namespace muster::benchmarks
