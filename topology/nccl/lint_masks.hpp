// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/nccl/finding.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {

// What is wrong with the CPU masks of a topology file, whatever the machine.
Findings lint_masks(const TopologyFile& file);

}  // namespace muster::topology
