// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"

namespace muster::healthcheck::fleet {

// The report of a night of these nodes.
inline FleetReport fleet_with(std::vector<FleetNode> nodes) {
  FleetReport report{.version = "1", .run_id = "f", .made = "2026-11-25T06:00:00Z", .since = "2026-11-25T02:00:00Z"};
  report.nodes = std::move(nodes);
  report.status = worst_of(report);
  report.summary = "a summary";
  return report;
}

}  // namespace muster::healthcheck::fleet
