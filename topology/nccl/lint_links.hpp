// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/nccl/finding.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {

// What is wrong with the PCI links of a topology file, whatever the machine: speeds and widths that NCCL does not know,
// bridges slower than what is below them, GPUs and their NICs slower than their siblings, and those without GPUDirect
// RDMA.
Findings lint_links(const TopologyFile& file);

}  // namespace muster::topology
