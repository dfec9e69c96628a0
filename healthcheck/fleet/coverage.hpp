// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::fleet {

// Says of each node that was tested by less than most were, or than is wanted, what it lacks: by another profile, to a
// lower tier, or by fewer checks. A node that lacks what is wanted is missing; of another one it is a warning.
void compare_with_coverage(std::vector<FleetNode>& nodes, const WantedCoverage& wanted);

}  // namespace muster::healthcheck::fleet
