// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster::topology {

// Why NCCL ends with this graph file (NCCL_GRAPH_FILE) on a machine with so many GPUs: it cannot be read, or a channel
// names a GPU that is not there. Empty where nothing is wrong. Source: ncclTopoGetChannelFromXml in NCCL 2.30's
// src/graph/search.cc.
std::string why_graph_fails(std::string_view text, std::size_t gpus);

}  // namespace muster::topology
