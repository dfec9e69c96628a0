// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "topology/machine/discover.hpp"
#include "topology/nccl/finding.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {

// Where a topology file (wanted) does not describe this machine (found).
Findings difference(const TopologyFile& wanted, const Discovery& found);

// A file by itself and against the machine: lint, then those differences that do not follow from what lint found.
// A dump of several hosts is compared with none.
// Throws Error as read_topology does.
Findings check_topology(std::string_view text, const Discovery& found);

}  // namespace muster::topology
