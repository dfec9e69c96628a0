// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/nccl/finding.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {

// GPUs whose NVLinks lead to themselves, and those that have another number of them than their siblings of one compute
// capability: an error where switches join them, and else a warning, since bridges join some GPUs of a machine alone.
Findings lint_nvlinks(const TopologyFile& file);

}  // namespace muster::topology
