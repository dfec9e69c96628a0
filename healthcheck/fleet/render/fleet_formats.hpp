// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/program/outputs.hpp"
#include "results/render/text.hpp"

namespace muster::healthcheck::fleet {

// A form in which the report of a fleet can be printed. Each is a source of this folder and a row of fleet_formats.cpp.
struct FleetFormat {
  std::string_view name;
  std::string_view summary;  // for --help
  std::string (*render)(const FleetReport& report, const results::View& view);
  std::string_view begins = {};  // as that of results::Format, whose counts where there is none
};

// Their names, as --format takes them, the default first.
std::vector<std::string> fleet_format_names();

// "text: a table; json: ...", for --help.
std::string fleet_format_summaries();

// What --also takes.
std::vector<AlsoForm> fleet_forms();

// What the format, which must be one of them, makes of a report; without names, serial numbers and addresses where the
// view wants that.
std::string rendered(std::string_view format, const FleetReport& report, const results::View& view);

// That of one node alone, by whose status it is judged. Throws UsageError where it is none of the report.
FleetReport of_node(const FleetReport& report, std::string_view name);

// The same report without names, serial numbers and addresses.
FleetReport redacted(FleetReport report);

}  // namespace muster::healthcheck::fleet
