// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/report_document.hpp"
#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/node/plan.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/option_values.hpp"
#include "healthcheck/start/host_names.hpp"
#include "healthcheck/start/hostfile.hpp"

namespace muster::healthcheck::fleet {
namespace {

std::string ago(std::chrono::seconds span) { return results::utc(std::chrono::system_clock::now() - span); }

// A time, or how long ago it was.
std::string start_of(const std::string& since) {
  if (results::time_from(since)) return since;
  if (const auto span = time_span_of(since)) return ago(*span);
  throw UsageError(
      fmt::format("--since: '{}' is not a time such as 2026-11-25T22:00:00Z, or 6h, 90m or 2d before this one", since));
}

// Those of --nodes or of --nodes-file, each once.
std::vector<std::string> expected_nodes(const std::optional<std::string>& nodes,
                                        const std::optional<std::filesystem::path>& file) {
  constexpr const char* list_option = "--nodes";
  constexpr const char* file_option = "--nodes-file";
  if (nodes) return distinct_names(hosts_of_list(*nodes, list_option), list_option);
  return distinct_names(read_hostfile(file_option, *file), fmt::format("{} {}", file_option, file->string()));
}

// Any check that there is, whether this machine has it or not.
void expect_known(const std::vector<std::string>& checks) {
  if (!checks.empty()) expect_checks("--expect-selection", checks, known_metrics().checks());
}

FleetReport judged_reports(const std::filesystem::path& folder, const std::string& since,
                           const std::vector<std::string>& expected, const WantedCoverage& wanted) {
  auto rules = std::async(std::launch::async, peer_rules, installation());  // while the reports are read
  auto found = reports_in(folder);
  return judged(heading(since), expected, std::move(found), rules.get(), wanted);
}

}  // namespace

int collect_command(int argc, char** argv) {
  std::filesystem::path folder, output = "muster-fleet.json";
  std::optional<std::string> nodes, since;
  std::optional<std::filesystem::path> nodes_file, previous;
  WantedCoverage wanted;
  Shown shown;
  CommandLine line("Makes one report of those that the nodes of a fleet left in a folder, and says which left none",
                   "muster fleet collect");
  line.add_folder("FOLDER", folder,
                  "Where the reports of the nodes are, or their summaries: *.json, in folders below, too");
  line.add("--nodes", nodes, "The nodes that were to be tested, as Slurm lists them: gpu-[0001-0100],login");
  line.add("--nodes-file", nodes_file,
           "A file with one of them on each line, as a hostfile of mpirun or kubectl get nodes -o name");
  line.add("--since", since,
           "What started before is of another run: 6h, 90m, 2d or 2026-11-25T22:00:00Z (default: 24h)");
  line.add_output("--report", output, results::Document::fleet_report,
                  "Where the report of the fleet goes; - is stdout");
  line.add("--previous", previous, previous_help);
  line.add("--expect-profile", wanted.profile,
           "A node that was judged by another profile is missing (default: is a warning where most had one)");
  line.add("--expect-tier", wanted.tier, "So is one that was tested to a lower tier: preflight, quick or full");
  line.add_list("--expect-selection", wanted.checks, "So is one whose report leaves out one of these checks");
  line.add("--json", shown.json, "Print the report instead of a table");
  add_also(line, shown);
  line.examples({"muster fleet collect reports --nodes gpu-[0001-0100]",
                 "muster fleet collect reports --nodes-file hosts --expect-tier full"});
  return line.run(argc, argv, [&] {
    if (nodes.has_value() == nodes_file.has_value())
      throw UsageError(
          "give --nodes or --nodes-file, the nodes that were to be tested: else no missing node can be named");
    const auto start = since ? start_of(*since) : ago(a_day);
    line.expect_outputs();
    expect_known(wanted.checks);
    const auto expected = expected_nodes(nodes, nodes_file);
    const auto before = previous ? newest_in(*previous) : std::nullopt;
    return finish_report(judged_reports(folder, start, expected, wanted), before, output, shown);
  });
}

}  // namespace muster::healthcheck::fleet
