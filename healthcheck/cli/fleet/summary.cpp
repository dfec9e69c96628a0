// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/report_document.hpp"
#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "healthcheck/marks/act.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/streams.hpp"

namespace muster::healthcheck::fleet {

int summary_command(int argc, char** argv) {
  std::filesystem::path file;
  std::optional<std::string> node;
  auto format = fleet_format_names().front();
  Shown shown;
  CommandLine line("Shows the report of a fleet, worst first, and exits by it", "muster fleet summary");
  line.add("REPORT", file, "What `muster fleet collect` wrote");
  line.add_choice("--format", format, fleet_format_names(), fleet_format_summaries());
  line.add("--json", shown.json, "Print the report instead of a table");
  line.add("--node", node, "Show this node alone, and exit by it");
  line.add("--redact", shown.redact, "Leave names, serial numbers and addresses out");
  add_also(line, shown);
  line.examples({"muster fleet summary muster-fleet.json",
                 "muster fleet summary muster-fleet.json --node gpu-7 --format ticket"});
  return line.run(argc, argv, [&] {
    line.expect_outputs();
    auto report = read_fleet_report(file);
    if (const auto why = outdated(report, std::chrono::system_clock::now(), a_day.count()))
      tell(fmt::format("muster fleet summary: {}\n", *why));
    if (node) report = of_node(report, *node);
    shown.format = shown.json ? "json" : format;
    return show(report, shown);
  });
}

}  // namespace muster::healthcheck::fleet
