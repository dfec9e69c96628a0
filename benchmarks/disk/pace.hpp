// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/engine.hpp"
#include "benchmarks/disk/queue.hpp"
#include "results/values/histogram.hpp"

namespace muster::benchmarks::disk {

// Reads at a fixed rate, whatever the disk does: what a data loader asks of it.
struct Paced {
  double per_second = 10'000;
  std::size_t block_bytes = 4096;
  std::size_t depth = 256;
  std::chrono::nanoseconds time{};
};

struct Kept {
  results::Histogram latency;  // from when a read was due, where the disk kept it from being begun
  // From the first completion to the last, and never more than was asked; of one read there is none.
  std::optional<double> per_second;
};

// At random, of what has been written; the first read is made in any case, others that a disk has not begun a tenth of
// the time after its end are left out. Throws DiskError.
Kept keep_pace(Area& area, const Engine& engine, const Paced& paced);

}  // namespace muster::benchmarks::disk
