// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/host/binding.hpp"

namespace muster::benchmarks::host {

// Cores whose memory is measured together.
struct MemoryDomain {
  std::string numa;            // the kernel's number of the node, or "all"
  std::vector<unsigned> cpus;  // one for each thread
};

// The whole machine, then each NUMA node where there are several. With fewer threads than cores only the first of them
// all, since no node could be measured in full.
std::vector<MemoryDomain> memory_domains(std::span<const NumaNode> nodes, std::size_t max_threads);

// Bytes of each of the three arrays: 4 times the last-level caches, as STREAM demands, and so much that copy lasts
// 50 us at 2.6 TB/s.
std::size_t array_bytes(double cache_bytes);

// Whether three such arrays take at most half of the memory that is there. A virtual machine may see the caches of its
// whole host, so that they are a quarter of its memory.
bool fits(std::size_t array_bytes, double available_bytes);

}  // namespace muster::benchmarks::host
