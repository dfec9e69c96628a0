// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "topology/machine/machine.hpp"

namespace muster::topology {

// The GPUs of a machine, and what the links of each carry between them.
struct NvlinkDomain {
  std::size_t gpus = 0;
  bool has_c2c = false;  // one is linked with its CPU by more than PCIe
  double rate = 0;  // payload of all NVLinks of the GPU that has least, in B/s, one direction; 0 where one has none
};

// Of a machine as NCCL saw it (NCCL_TOPO_DUMP_FILE), which tells the links of every GPU that takes part.
NvlinkDomain nvlink_domain(const Machine& machine);

}  // namespace muster::topology
