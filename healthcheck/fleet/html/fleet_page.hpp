// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"

namespace muster::healthcheck::fleet {

// The report of a fleet as one page of HTML that loads nothing: at most 3 MB, for 10,000 nodes too. What does not fit
// is counted there.
std::string to_html(const FleetReport& report);

namespace html {

// Parts of the page, as markup.
std::string attention_section(const FleetReport& report);  // what is wrong, by fault
std::string change_section(const FleetReport& report);     // since the report that it was compared with
std::string coverage_section(const FleetReport& report);   // tested, missing, skipped
std::string check_section(const FleetReport& report);      // how each check ended over all nodes
std::string metric_section(const FleetReport& report);     // how values lie, and who is out
std::string map_section(const FleetReport& report);        // nodes x checks: filled by the script from map_data()
std::string node_section(const FleetReport& report);       // nodes that are not fit, for paper

// For the script: names, states and problems of all nodes as JSON that may stand in an element <script>.
std::string map_data(const FleetReport& report);

namespace assets {

extern const std::string_view style;   // fleet.css
extern const std::string_view script;  // fleet.js

}  // namespace assets
}  // namespace html
}  // namespace muster::healthcheck::fleet
