// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/program/outputs.hpp"

// What the commands that make, read or show a report of a fleet share.
namespace muster::healthcheck {
class CommandLine;
}

namespace muster::healthcheck::fleet {

inline constexpr auto previous_help = "A report of before to compare with, or a folder whose newest it is";
inline constexpr std::chrono::hours a_day{24};

// The head of a report that is made now, of what started at `since` or later.
FleetReport heading(const std::string& since);

// Throws UsageError that names the file.
FleetReport read_fleet_report(const std::filesystem::path& file);

// That file, or the report of a fleet that was written last in that folder; nothing when there is none. Throws
// UsageError, results::Error.
std::optional<FleetReport> newest_in(const std::filesystem::path& place);

// How a report is shown, and in which forms it is also written.
struct Shown {
  std::string format = "text";
  bool json = false;
  bool redact = false;
  std::vector<Also> also = {};
};

// --also, for a command that makes or shows a report.
void add_also(CommandLine& line, Shown& shown);

// Writes the further forms and prints the report; its exit code.
int show(const FleetReport& report, const Shown& shown);

// Writes the report, compared with one of before where there is one, and shows it; the exit code.
int finish_report(FleetReport report, const std::optional<FleetReport>& before, const std::filesystem::path& output,
                  Shown shown);

}  // namespace muster::healthcheck::fleet
