// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "healthcheck/process/supervise.hpp"
#include "healthcheck/start/launcher_failure.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// Adds the fact CHECK.NAME of a host.
void add_fact_of_host(results::CheckRun& run, std::string_view name, const std::string& host, const std::string& value);

// The run of a job that sent no report, with what mpirun said of it: the cause in its reason, and a fact for each host
// that the cause is of. A job that met its deadline keeps its reason where mpirun told no known cause.
results::CheckRun with_words_of_launcher(results::CheckRun run, const ProcessExit& ending, const LaunchedJob& job);

}  // namespace muster::healthcheck
