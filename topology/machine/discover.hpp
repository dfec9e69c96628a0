// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"
#include "topology/machine/machine.hpp"

namespace muster::topology {

// How it is known which GPU shares a switch with which NIC.
enum class Switches {
  seen,        // the kernel shows the bridges
  recognised,  // the machine has the devices of one whose file muster ships
  inferred,    // a virtual machine hides them: the first GPU of a NUMA node goes with its first NIC, and so on
};

// A machine as the kernel shows it: NUMA nodes with their online CPUs, NVIDIA GPUs, InfiniBand and Ethernet NICs, NVMe
// drives, and the bridges above the GPUs and NICs as NCCL sees them. The link of a device is the most it can do.
struct Discovery {
  Machine machine;
  Switches switches = Switches::seen;
  DeviceNames names;
  std::map<std::string, PciLink, std::less<>> now;  // what links run at, by address
  std::optional<std::vector<int>> allowed;          // CPUs that the control group leaves; none: no limit
};

// Throws Error when a kernel file holds nonsense.
Discovery discover(const Sysfs& sysfs);

// Takes the bridges of `known` when its GPUs and NICs are those of the machine, each near the same NUMA node. Returns
// whether they are.
bool recognise(Discovery& found, const Machine& known);

// The machine with those CPUs alone that the control group leaves; mpirun counts no other cores.
Machine usable(Machine machine, const std::optional<std::vector<int>>& allowed);
Machine usable(const Discovery& found);

// What a topology file says of this machine: no drives, and of the NICs InfiniBand alone, else those with RDMA
// alone, else all.
Machine for_nccl(const Discovery& found);

}  // namespace muster::topology
