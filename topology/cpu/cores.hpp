// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct Core {
  std::vector<int> cpus;  // its threads that are online, in rising order
  int numa_node = 0;      // 0 as well where the kernel knows no NUMA
  bool operator==(const Core&) const = default;
};

// The cores of the machine in the order in which hwloc, and so mpirun, counts them: by package, die, NUMA node,
// shared cache and core, each by its lowest CPU. A CPU of which the kernel tells no threads is a core of its own; none
// where it does not tell what is online. Source: hwloc 2.9, "Logical and Physical/OS indexes". Throws Error naming a
// damaged file.
std::vector<Core> cores(const Sysfs& sysfs);

}  // namespace muster::topology
