// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "healthcheck/fleet/fleet_report.hpp"

namespace muster::healthcheck::fleet {

// `muster fleet collect` and `muster fleet summary`; each gives an exit code.
int collect_command(int argc, char** argv);
int summary_command(int argc, char** argv);

// Throws UsageError that names the file.
FleetReport read_fleet_report(const std::filesystem::path& file);

}  // namespace muster::healthcheck::fleet
