// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/queue.hpp"
#include "benchmarks/disk/raw_drive.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "results/values/histogram.hpp"

namespace muster::benchmarks::disk {

enum class Access { sequential, random };

std::string_view to_text(Access pattern);

// Blocks of one size, as many under way as there may be.
struct Workload {
  Direction direction = Direction::read;
  Access pattern = Access::sequential;
  std::size_t block_bytes = std::size_t{1} << 20;
  std::size_t depth = 32;
  // Of reads: the beginnings of the parts of the data, all of one size, that they are kept to; none: all of it.
  std::span<const std::uint64_t> parts = {};
  std::size_t part_bytes = 0;
};

struct Worked {
  Sampled rates;  // of 5 to 200 ms each: bytes per second, of random blocks transfers per second
  results::Histogram latency;
  std::uint64_t operations = 0;
  std::uint64_t wrong = 0;  // blocks that were not what was written
  std::uint64_t blank = 0;  // of those that read(), blocks of zeros, as a drive gives what was never written
  double seconds = 0;       // from the first that was begun to the last that was finished
  double cpu_seconds = 0;   // of the threads that began them
  double bytes = 0;
};

// Writes from the beginning on, and again from there at the end of the file, or at random what has been written; reads
// what has been written. Ends when the goal is reached, and a sequential writer has filled the file, or when the budget
// is spent. Every block that was read is held against what was written, by what its first 4096 bytes say. Throws
// DiskError.
Worked work(Area& area, const Engine& engine, const Workload& workload, const SamplingGoal& goal, const Budget& budget);

// The same of reads, of a drive of which nobody knows what is on it: nothing is held against anything.
Worked read(const RawDrive& drive, const Engine& engine, const Workload& workload, const SamplingGoal& goal,
            const Budget& budget);

// Reads all that has been written, from the disk, and verifies every byte. Throws DiskError.
void verify(Area& area, const Engine& engine);

}  // namespace muster::benchmarks::disk
