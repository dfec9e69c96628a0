// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace muster::benchmarks {

// The greatest bus bandwidth that an allreduce over several nodes can have, in B/s, when what the algorithm (as NCCL
// spells it: "RING", "TREE", "NVLS_TREE") sends out of each node must pass that node's NICs, which carry `node_rate` in
// one direction. An algorithm that is not known is taken for the one that sends least: reduction in the switches.
// Source: 2 S (n-1)/n leave a node of a ring, 2 S one inside a double tree, S the two ends of one and SHARP's nodes.
double allreduce_bus_limit(std::string_view algorithm, int nodes, int ranks, double node_rate);

// The same over GPUs whose own links carry `link_rate` in one direction.
// Source: 2 S (n-1)/n leave a GPU of a ring or tree, S + S/n one whose NVLink switches reduce.
double allreduce_link_limit(std::string_view algorithm, int ranks, double link_rate);

}  // namespace muster::benchmarks
