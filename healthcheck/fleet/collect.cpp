// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/collect.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "healthcheck/command_line.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/launch/hosts.hpp"
#include "results/error.hpp"
#include "results/file.hpp"
#include "results/random_word.hpp"
#include "results/version.hpp"
#include "topology/scan.hpp"

namespace muster::healthcheck::fleet {
namespace {

// A name on each line; what follows a # is for people.
std::vector<std::string> names_in(const std::filesystem::path& file) {
  std::vector<std::string> names;
  std::istringstream lines(results::read_text(file));
  for (std::string text; std::getline(lines, text);)
    if (const auto name = topology::trimmed(std::string_view(text).substr(0, text.find('#'))); !name.empty())
      names.emplace_back(name);
  if (names.empty()) throw UsageError(fmt::format("{} names no node", file.string()));
  return names;
}

std::string a_day_ago() { return results::utc(std::chrono::system_clock::now() - std::chrono::hours{24}); }

// What a fleet report is read and shown with.
int show(const FleetReport& report, bool as_json) {
  fmt::print("{}", as_json ? to_json(report) : to_text(report));
  return std::fflush(stdout) == 0 ? exit_code(report.status) : exit_code(results::Status::unknown);
}

}  // namespace

int collect_command(int argc, char** argv) {
  std::filesystem::path folder, output = "muster-fleet.json";
  std::optional<std::string> nodes, since;
  std::optional<std::filesystem::path> nodes_file;
  bool json = false;
  CommandLine line("Makes one report of those that the nodes of a fleet left in a folder, and says which left none",
                   "muster fleet collect");
  line.add("FOLDER", folder, "Where the reports of the nodes are, or their summaries: *.json, in folders below, too");
  line.add("--nodes", nodes, "The nodes that were to be tested, as Slurm lists them: gpu-[0001-0100],login");
  line.add("--nodes-file", nodes_file, "A file with one of them on each line");
  line.add("--since", since, "What started before is of another run: 2026-11-25T22:00:00Z (default: a day ago)");
  line.add("--report", output, "Where the report of the fleet goes");
  line.add("--json", json, "Print the report instead of a table");
  return line.run(argc, argv, [&] {
    if (nodes.has_value() == nodes_file.has_value())
      throw UsageError(
          "give --nodes or --nodes-file, the nodes that were to be tested: else nobody knows which are missing");
    if (since && !results::time_from(*since))
      throw UsageError(fmt::format("--since: '{}' is no time such as 2026-11-25T22:00:00Z", *since));
    const auto expected = nodes ? expanded(*nodes) : names_in(*nodes_file);
    const auto report = judged({.version = std::string(results::version()),
                                .run_id = results::random_word(),
                                .made = results::utc_now(),
                                .since = since.value_or(a_day_ago())},
                               expected, reports_in(folder));
    results::write_atomically(output, to_json(report));
    return show(report, json);
  });
}

FleetReport read_fleet_report(const std::filesystem::path& file) {
  try {
    return fleet_report_from_json(results::read_text(file));
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

int summary_command(int argc, char** argv) {
  std::filesystem::path file;
  bool json = false;
  CommandLine line("Shows the report of a fleet, worst first, and exits by it", "muster fleet summary");
  line.add("REPORT", file, "What `muster fleet collect` wrote");
  line.add("--json", json, "Print the report instead of a table");
  return line.run(argc, argv, [&] { return show(read_fleet_report(file), json); });
}

}  // namespace muster::healthcheck::fleet
