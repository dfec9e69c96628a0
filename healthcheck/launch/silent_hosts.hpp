// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "results/values/report.hpp"

namespace muster::healthcheck {

// Hosts of a job whose ranks never came to the start of MPI, for which all others have waited. The names of the hosts
// stand in the order of their addresses; `waiting` has the addresses of each host that said that it waits. None where
// nobody has said so, or one has whom the job does not know.
std::vector<std::string> silent_hosts(const std::vector<std::string>& names, const std::vector<std::string>& addresses,
                                      const std::vector<std::vector<std::string>>& waiting);

// The run of a job that met its deadline, with these hosts in its reason, and a fact for each.
results::CheckRun with_silent_hosts(results::CheckRun run, const std::vector<std::string>& silent);

}  // namespace muster::healthcheck
