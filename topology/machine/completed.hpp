// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/machine/discover.hpp"
#include "topology/machine/machine.hpp"

namespace muster::topology {

// The machine of a topology file with what the file leaves to the kernel, as NCCL reads it here: class and vendor of a
// device, and, where there is a GPU, the CPUs of a NUMA node without a mask (all CPUs where this machine has no such
// node). Ethernet NICs beside a GPU are taken for the GPU's own unless they are plain here. Where the masks are those
// of this machine, it gets its cores too, and loses the CPUs that the control group does not leave. Throws Error for a
// dump of several hosts.
Machine completed(Machine file, const Discovery& here);

}  // namespace muster::topology
