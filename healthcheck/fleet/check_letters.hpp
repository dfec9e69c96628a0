// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/fleet/string_table.hpp"

namespace muster::healthcheck::fleet {

// Gives each check of the fleet its place by its name, and each node that left a whole report a letter for it. What was
// found beside other nodes counts, too.
void name_checks(FleetReport& report, const StringTable& names);

}  // namespace muster::healthcheck::fleet
