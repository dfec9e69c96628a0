// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/engine.hpp"

#include <fmt/format.h>

#include "benchmarks/disk/blocking.hpp"
#include "benchmarks/disk/ring.hpp"
#include "benchmarks/error.hpp"

namespace muster::benchmarks::disk {

Engine usable_engine(std::size_t buffer_bytes) {
  constexpr int no_file = -1;  // registered as a place that is free
  std::string why;
  try {
    const Ring with_all(no_file, 1, buffer_bytes, true);
    return {.words = "io_uring"};
  } catch (const Error& error) {
    why = error.what();
  }
  try {
    const Ring without_buffers(no_file, 1, buffer_bytes, false);
    return {.words = fmt::format("io_uring without registered buffers: {}", why), .registered_buffers = false};
  } catch (const Error& error) {
    return {.words = fmt::format("preadv2 and pwritev2: {}", error.what()), .ring = false};
  }
}

std::unique_ptr<Queue> make_queue(const Engine& engine, int file, std::size_t depth, std::size_t block_bytes) {
  if (engine.ring) return std::make_unique<Ring>(file, depth, block_bytes, engine.registered_buffers);
  return std::make_unique<Blocking>(file, block_bytes);
}

}  // namespace muster::benchmarks::disk
