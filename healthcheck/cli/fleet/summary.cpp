// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/report_document.hpp"
#include "healthcheck/marks/act.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/streams.hpp"

namespace muster::healthcheck::fleet {

int summary_command(int argc, char** argv) {
  std::filesystem::path file;
  bool json = false;
  CommandLine line("Shows the report of a fleet, worst first, and exits by it", "muster fleet summary");
  line.add("REPORT", file, "What `muster fleet collect` wrote");
  line.add("--json", json, "Print the report instead of a table");
  line.examples({"muster fleet summary muster-fleet.json", "muster fleet summary muster-fleet.json --json"});
  return line.run(argc, argv, [&] {
    const auto report = read_fleet_report(file);
    if (const auto why = outdated(report, std::chrono::system_clock::now(), a_day.count()))
      tell(fmt::format("muster fleet summary: {}\n", *why));
    return show(report, json);
  });
}

}  // namespace muster::healthcheck::fleet
