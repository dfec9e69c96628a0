// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "healthcheck/process/supervise.hpp"
#include "healthcheck/start/hosts.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// Whether the name or address is one of this machine. Asks the name server.
bool is_this_machine(const std::string& host);

// The run of a job that sent no report, with what mpirun said of it: the cause in its reason, and a fact for each host
// that the cause is of. A job that met its deadline keeps its reason where mpirun told no known cause.
results::CheckRun with_words_of_launcher(results::CheckRun run, const ProcessExit& ending, const HostList& hosts,
                                         std::size_t ranks_on_each, bool has_own_key, bool binds_ranks);

}  // namespace muster::healthcheck
