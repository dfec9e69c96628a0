// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topology/machine/machine.hpp"

namespace muster::topology {

// The cores of a machine in mpirun's order, with the number of the NUMA node each is of. Where only a file tells of the
// machine its masks are all there is: two ranges of one length in every mask are the two threads of its cores; else
// each CPU counts as a core. Linux numbers the second threads behind all first ones on most machines with two.
std::vector<Core> cores_of(const Machine& machine);

}  // namespace muster::topology
