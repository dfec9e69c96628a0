// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/sampling/sampler.hpp"

namespace muster::benchmarks::disk {

// What ranks do that save their state: each writes a part of the data, block by block, and waits until the disk has it.
struct Checkpoint {
  std::size_t writers = 8;                          // fewer where less has been written than a block for each
  std::size_t block_bytes = std::size_t{16} << 20;  // or all that has been written, where that is less
};

struct Saved {
  Sampled rates;  // bytes per second of all writers, each of 50 ms of writing and fdatasync(2)
  std::size_t writers = 0;
  std::size_t block_bytes = 0;
  double bytes = 0;
};

// Over what has been written before, again and again, until the goal is reached or the budget is spent. Throws
// DiskError.
Saved save(Area& area, const Engine& engine, const Checkpoint& checkpoint, const SamplingGoal& goal,
           const Budget& budget);

}  // namespace muster::benchmarks::disk
