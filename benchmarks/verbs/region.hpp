// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "benchmarks/memory/memory.hpp"
#include "benchmarks/verbs/handles.hpp"
#include "benchmarks/verbs/port.hpp"

namespace muster::benchmarks::verbs {

// Memory that an adapter has been told of.
struct Region {
  MemoryRegion handle;
  std::string gpudirect;  // by what it reaches a GPU's: "dma-buf" or "nvidia-peermem"; empty for memory of the host
};

// Throws Error: where memory of the host cannot be locked, with the limit that forbids it; where that of a GPU cannot
// be reached, with the reasons of both ways.
Region registered(ibv_pd* domain, Memory& memory);

// Throws the same where a port cannot reach memory of this GPU, or there is no such memory.
void expect_reach(const RdmaPort& port, const std::string& gpu);

}  // namespace muster::benchmarks::verbs
