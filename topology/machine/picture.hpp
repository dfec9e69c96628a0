// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/machine/machine.hpp"

namespace muster::topology {

// A machine as a tree of lines for people: NUMA nodes, switches, GPUs, NICs and drives, in at most 80 columns where the
// names allow it. `names` are those of devices by address.
std::string picture(const Machine& machine, const DeviceNames& names);

}  // namespace muster::topology
