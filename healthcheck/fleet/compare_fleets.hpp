// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/compare/comparison.hpp"
#include "healthcheck/fleet/fleet_report.hpp"

namespace muster::healthcheck::fleet {

// Holds night B against night A: which nodes are new, gone, worse or better, and what was found of nodes that stand as
// they stood. Reports of fleets hold no rates.
compare::Comparison comparison_of(const FleetReport& a, const FleetReport& b);

}  // namespace muster::healthcheck::fleet
