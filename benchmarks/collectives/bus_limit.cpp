// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/collectives/bus_limit.hpp"

#include <algorithm>

#include "benchmarks/collectives/collective.hpp"

namespace muster::benchmarks {
namespace {

// How much of S leaves each node.
double sent(std::string_view algorithm, int nodes, double bus_factor) {
  if (algorithm == "RING") return bus_factor;
  const bool is_tree = algorithm == "TREE" || algorithm == "NVLS_TREE";
  return is_tree && nodes > 2 ? 2 : 1;
}

}  // namespace

double allreduce_bus_limit(std::string_view algorithm, int nodes, int ranks, double node_rate) {
  const double factor = bus_factor(Operation::allreduce, ranks);
  return node_rate * factor / sent(algorithm, nodes, factor);
}

double allreduce_link_limit(std::string_view algorithm, int ranks, double link_rate) {
  const double factor = bus_factor(Operation::allreduce, ranks);
  const double by_switches = 1 + 1.0 / ranks;
  if (algorithm == "RING" || algorithm == "TREE") return link_rate;
  return link_rate * factor / (algorithm == "NVLS" ? by_switches : std::min(factor, by_switches));
}

}  // namespace muster::benchmarks
