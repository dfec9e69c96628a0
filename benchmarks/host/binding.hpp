// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwloc.h>

#include <optional>
#include <span>
#include <vector>

#include "benchmarks/handle.hpp"

namespace muster::benchmarks::host {

using Topology = Handle<hwloc_topology, hwloc_topology_destroy>;
using CpuSet = Handle<hwloc_bitmap_s, hwloc_bitmap_free>;

// Of this machine, as far as this process may see it. Throws Error.
Topology load_topology();

// The CPUs that the calling thread may run on. Throws Error.
CpuSet allowed_cpus(hwloc_topology_t topology);

struct NumaNode {
  unsigned number = 0;         // the kernel's
  std::vector<unsigned> cpus;  // the kernel's number of one allowed CPU for each core
};

// NUMA nodes that have an allowed core; every core is in one of them. A machine without NUMA has one node.
std::vector<NumaNode> numa_nodes(hwloc_topology_t topology, hwloc_const_cpuset_t allowed);

// A CPU beside a device and one on another socket; nothing where there is none, or nobody knows.
struct Sides {
  std::optional<unsigned> near;
  std::optional<unsigned> far;
};
Sides sides(std::span<const NumaNode> nodes, std::optional<int> numa_node_of_device);

// Whether every core of the machine is among the allowed ones.
bool allows_every_core(hwloc_topology_t topology, hwloc_const_cpuset_t allowed);

// Sum of the last-level caches that serve these CPUs; 64 MiB where the machine does not tell.
double last_level_cache_bytes(hwloc_topology_t topology, std::span<const unsigned> cpus);

// Binds the calling thread. Throws Error.
void bind_thread(hwloc_topology_t topology, unsigned cpu);

// Lets threads of this process, by the numbers that Linux gives them, run only where no other wants to. Whether it
// does.
bool run_when_idle(std::span<const pid_t> threads);

// And again as others do, for which they may have to wait no longer. Whether it does: where may_take_precedence().
bool run_as_others(std::span<const pid_t> threads);

// Whether Linux lets this thread come before others, for which it wants the capability SYS_NICE of the machine, not of
// a container's users. Without it a thread that gives way to others stays behind them, and on a busy machine it hardly
// runs at all.
bool may_take_precedence();

}  // namespace muster::benchmarks::host
