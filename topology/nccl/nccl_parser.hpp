// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "topology/nccl/finding.hpp"

namespace muster::topology {

// What the parser of NCCL 2.28 to 2.32 (src/graph/xml.cc), which is no XML parser, makes of a topology file: at most
// one `refused`, where it stops, and an `ignored` for each element that it counts wrongly or cuts. A graph file
// (NCCL_GRAPH_FILE) is read as one.
Findings nccl_reads(std::string_view text);

}  // namespace muster::topology
