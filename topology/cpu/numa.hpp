// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct NumaNode {
  int number = 0;
  std::vector<int> cpus;
  double memory_bytes = 0;
};

// Nodes with CPUs or memory, by number; none when the kernel knows no NUMA.
std::vector<NumaNode> numa_nodes(const Sysfs& sysfs);

}  // namespace muster::topology
