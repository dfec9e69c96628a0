// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/collectives/collective.hpp"

namespace muster::benchmarks {

// The bytes that must leave each host in one call of S bytes between ranks on these hosts, by rank, whatever the
// algorithm, and even if switches reduce and multiply: what others need and only this host has. Hosts that nothing must
// leave are not in it.
std::map<std::string, double> inter_host_bytes(const Collective& collective, std::size_t bytes,
                                               const std::vector<std::string>& hosts);

}  // namespace muster::benchmarks
