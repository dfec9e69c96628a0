// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "topology/nccl/finding.hpp"
#include "topology/nccl/nccl_xml.hpp"

namespace muster::topology {

// What is wrong with a topology file, whatever the machine: what NCCL's parser makes of it, then what it says. By line.
// Throws Error as read_topology does. A graph file (NCCL_GRAPH_FILE) is only held against the parser.
Findings lint(std::string_view text);

// The same of a topology file that has been read from this text.
Findings lint(std::string_view text, const TopologyFile& file);

}  // namespace muster::topology
