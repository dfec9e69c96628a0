// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/area.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "benchmarks/data/message_data.hpp"
#include "benchmarks/data/scrambled.hpp"

namespace muster::benchmarks::disk {

Area::Area(const OwnFile& file)
    : file_(file),
      seed_((std::uint64_t{std::random_device()()} << 32) | std::random_device()()),
      pattern_(pattern_bytes),
      blocks_(file.data_bytes() / block_bytes) {
  benchmarks::fill(pattern_, seed_);
}

Area::Stamp Area::stamp(std::uint64_t block, std::uint8_t times) const {
  const auto place = scrambled(seed_ ^ block);
  return {.place = place, .times = scrambled(place + times)};
}

std::span<const std::byte> Area::pattern(std::size_t piece) const {
  return std::span(pattern_).subspan(piece % pieces * block_bytes, block_bytes);
}

void Area::fill(std::span<std::byte> buffer, std::size_t piece) const {
  for (std::size_t at = 0; at < buffer.size(); at += block_bytes)
    std::memcpy(buffer.data() + at, pattern(piece++).data(), block_bytes);
}

void Area::prepare(std::span<std::byte> buffer, std::uint64_t offset) const {
  for (std::size_t at = 0; at < buffer.size(); at += block_bytes) {
    const auto block = (offset + at) / block_bytes;
    const auto says = stamp(block, static_cast<std::uint8_t>(blocks_.at(block).times + 1));
    std::memcpy(buffer.data() + at, &says, sizeof says);
  }
}

void Area::wrote(std::size_t bytes, std::uint64_t offset, std::size_t piece) {
  for (auto block = offset / block_bytes; block < (offset + bytes) / block_bytes; ++block) {
    auto& written = blocks_.at(block);
    ++written.times;
    written.piece = static_cast<std::uint8_t>(piece++);
  }
}

std::uint64_t Area::glance(std::span<const std::byte> buffer, std::uint64_t offset) {
  const auto block = offset / block_bytes;
  Stamp found{};
  std::memcpy(&found, buffer.data(), sizeof found);
  if (found == stamp(block, blocks_.at(block).times)) return 0;
  count_wrong(buffer.first(block_bytes), block);
  return 1;
}

std::uint64_t Area::verify(std::span<const std::byte> buffer, std::uint64_t offset) {
  std::uint64_t wrong = 0;
  for (std::size_t at = 0; at < buffer.size(); at += block_bytes) {
    const auto block = (offset + at) / block_bytes;
    const auto found = buffer.subspan(at, block_bytes);
    const auto& [times, piece] = blocks_.at(block);
    const auto says = stamp(block, times);
    if (std::memcmp(found.data(), &says, sizeof says) == 0 &&
        std::memcmp(found.data() + sizeof says, pattern(piece).data() + sizeof says, block_bytes - sizeof says) == 0)
      continue;
    count_wrong(found, block);
    ++wrong;
  }
  return wrong;
}

void Area::count_wrong(std::span<const std::byte> block, std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  if (wrong_.count++ > 0) return;
  const auto& [times, piece] = blocks_.at(number);
  std::vector<std::byte> expected(pattern(piece).begin(), pattern(piece).end());
  const auto says = stamp(number, times);
  std::memcpy(expected.data(), &says, sizeof says);
  const auto first = std::ranges::mismatch(expected, block).in1 - expected.begin();
  std::size_t differing = 0;
  for (std::size_t at = 0; at < block_bytes; ++at) differing += expected[at] != block[at] ? 1 : 0;
  const auto at = static_cast<std::size_t>(first);
  wrong_.first = fmt::format("{} of {} bytes differ, the first at offset {}: expected {:02x}, found {:02x}", differing,
                             block_bytes, number * block_bytes + at, std::to_integer<unsigned>(expected[at]),
                             std::to_integer<unsigned>(block[at]));
}

WrongBlocks Area::wrong() const {
  const std::lock_guard lock(mutex_);
  return wrong_;
}

}  // namespace muster::benchmarks::disk
