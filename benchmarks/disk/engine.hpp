// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "benchmarks/disk/queue.hpp"

namespace muster::benchmarks::disk {

// By what a file is read and written.
struct Engine {
  std::string words;  // "io_uring", or what there is instead, and why
  bool ring = true;
  bool registered_buffers = true;
};

// What this kernel lets us use for that many bytes of buffers.
Engine usable_engine(std::size_t buffer_bytes);

// Of blocks of so many bytes, of a file that is open. A queue without io_uring has a depth of 1.
std::unique_ptr<Queue> make_queue(const Engine& engine, int file, std::size_t depth, std::size_t block_bytes);

}  // namespace muster::benchmarks::disk
