// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/kubernetes/act.hpp"
#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/kubernetes/night.hpp"
#include "healthcheck/node/plan.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/option_values.hpp"
#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/start/hosts.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "results/system/random_word.hpp"
#include "results/system/version.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::size_t longest_name = 63;  // of a label's value
constexpr auto previous_help = "A report of before to compare with, or a folder whose newest it is";

constexpr std::chrono::hours a_day{24};

std::string ago(std::chrono::seconds span) { return results::utc(std::chrono::system_clock::now() - span); }

// A time, or how long ago it was.
std::string start_of(const std::string& since) {
  if (results::time_from(since)) return since;
  if (const auto span = time_span_of(since)) return ago(*span);
  throw UsageError(
      fmt::format("--since: '{}' is no time such as 2026-11-25T22:00:00Z, or 6h, 90m or 2d before this one", since));
}

// Of a report that is made now.
FleetReport heading(const std::string& since) {
  return {.version = std::string(results::version()),
          .run_id = results::random_word(),
          .made = results::utc_now(),
          .since = since};
}

// What a fleet report is read and shown with.
int show(const FleetReport& report, bool as_json) {
  if (as_json)
    print_document(to_json(report));
  else
    fmt::print("{}", to_text(report));
  return exit_code(report.status);
}

// Throws UsageError that names the file.
FleetReport read_fleet_report(const std::filesystem::path& file) {
  const auto text = results::read_text(file);
  try {
    return fleet_report_from_json(text);
  } catch (const results::Error& error) {
    results::expect_document(text, results::Document::fleet_report, file);
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

// That file, or the report of a fleet that was written last in that folder; nothing when there is none. Throws
// UsageError, results::Error.
std::optional<FleetReport> newest_in(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(place)) return read_fleet_report(place);
  std::vector<std::filesystem::directory_entry> files(std::filesystem::directory_iterator(place), {});
  std::erase_if(files, [](const auto& file) { return file.path().extension() != ".json"; });
  std::ranges::sort(files, std::greater{}, [](const auto& file) {
    std::error_code of_a_link_to_nothing;
    return file.last_write_time(of_a_link_to_nothing);
  });
  for (const auto& file : files) {
    try {
      return fleet_report_from_json(results::read_text(file.path()));
    } catch (const results::Error&) {  // something else, such as the report of a node
    }
  }
  return std::nullopt;
}

// Writes the report, compared with one of before where there is one, and shows it; gives an exit code.
int conclude(FleetReport report, const std::optional<FleetReport>& before, const std::filesystem::path& output,
             bool as_json) {
  if (before) report = compared(std::move(report), *before);
  std::string problem;
  try {
    if (output != standard_stream) results::write_atomically(output, to_json(report));
  } catch (const results::Error& error) {
    problem = error.what();
  }
  const int code = show(report, as_json || output == standard_stream);
  if (problem.empty()) {
    if (output != standard_stream) tell(fmt::format("report: {}\n", output.string()));
    return code;
  }
  tell(fmt::format("the report is not written: {}\n", problem));
  return exit_code(results::Status::unknown);
}

}  // namespace

int collect_command(int argc, char** argv) {
  std::filesystem::path folder, output = "muster-fleet.json";
  std::optional<std::string> nodes, since;
  std::optional<std::filesystem::path> nodes_file, previous;
  WantedCoverage wanted;
  bool json = false;
  CommandLine line("Makes one report of those that the nodes of a fleet left in a folder, and says which left none",
                   "muster fleet collect");
  line.add_folder("FOLDER", folder,
                  "Where the reports of the nodes are, or their summaries: *.json, in folders below, too");
  line.add("--nodes", nodes, "The nodes that were to be tested, as Slurm lists them: gpu-[0001-0100],login");
  line.add("--nodes-file", nodes_file, "A file with one of them on each line, as a hostfile of mpirun");
  line.add("--since", since,
           "What started before is of another run: 6h, 90m, 2d or 2026-11-25T22:00:00Z (default: 24h)");
  line.add_output("--report", output, results::Document::fleet_report,
                  "Where the report of the fleet goes; - is stdout");
  line.add("--previous", previous, previous_help);
  line.add("--expect-profile", wanted.profile,
           "A node that was judged by another profile is missing (default: is a warning where most had one)");
  line.add("--expect-tier", wanted.tier, "So is one that was tested to a lower tier: preflight, quick or full");
  line.add_list("--expect-selection", wanted.checks, "So is one whose report leaves out one of these checks");
  line.add("--json", json, "Print the report instead of a table");
  line.examples({"muster fleet collect reports --nodes gpu-[0001-0100]",
                 "muster fleet collect reports --nodes-file hosts --expect-tier full"});
  return line.run(argc, argv, [&] {
    if (nodes.has_value() == nodes_file.has_value())
      throw UsageError(
          "give --nodes or --nodes-file, the nodes that were to be tested: else nobody knows which are missing");
    const auto start = since ? start_of(*since) : ago(a_day);
    line.expect_outputs();
    expect_checks("--expect-selection", wanted.checks, known_metrics().checks());  // this machine need not have them
    const auto expected = nodes ? expanded(*nodes) : read_hostfile("--nodes-file", *nodes_file).names;
    const auto before = previous ? newest_in(*previous) : std::nullopt;
    const auto rules = peer_rules(installation());
    return conclude(judged(heading(start), expected, reports_in(folder), rules, wanted), before, output, json);
  });
}

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

int night_command(int argc, char** argv) {
  ApiOptions given;
  std::filesystem::path pod, output = "muster-fleet.json";
  std::optional<std::filesystem::path> previous;
  std::optional<std::string> nodes;
  std::string busy = "skip";
  Night night{.name_space = "", .name = "muster-night"};
  bool json = false;
  CommandLine line("Tests every node of a cluster once, each by a pod of its own, and makes one report of it",
                   "muster fleet night");
  line.add("--pod", pod, "File with the Pod that tests a node, as JSON");
  line.add("--selector", night.selector, "Labels of the nodes, as kubectl takes them (default: all nodes)");
  line.add("--nodes", nodes, "Nodes that must be among them, as Slurm lists them: gpu-[0001-0100],login");
  line.add("--name", night.name, "Name of this night, with which those of its pods begin");
  line.add("--owner", night.owner.name, "Name of the pod that this is, with which those go");
  line.add("--owner-uid", night.owner.uid, "Its uid");
  line.add("--at-once", night.at_once, "Pods at the same time");
  line.add_choice("--when-busy", busy, {"skip", "wait", "idle-only"},
                  "A node without room for the pod is skipped or waited for, or one is skipped on which any work runs");
  line.add_positive("--busy-wait", night.busy_seconds, "Seconds that a pod may wait for room where it is skipped then");
  line.add_positive("--deadline", night.deadline_seconds, "Seconds for all of it");
  line.add_output("--report", output, results::Document::fleet_report,
                  "Where the report of the fleet goes; - is stdout");
  line.add("--previous", previous, previous_help);
  line.add("--json", json, "Print the report instead of a table");
  add_name_space(line, given);
  add_server(line, given);
  line.examples({"muster fleet night --pod pod.json --selector agentpool=gpu",
                 "muster fleet night --pod pod.json --nodes gpu-[1-8] --at-once 4"});
  return line.run(argc, argv, [&] {
    if (pod.empty()) throw UsageError("--pod is missing: give a file with the Pod that tests a node");
    require_name("--name", night.name);
    if (night.name.size() > longest_name)
      throw UsageError(fmt::format("--name: {} has more than {} characters", night.name, longest_name));
    line.expect_outputs();
    if (night.at_once == 0) throw UsageError("--at-once: give one pod at least");
    night.pod_template = results::read_text(pod);
    try {
      pod_for(night.pod_template, night.name, "node", night.owner);
    } catch (const results::Error& error) {
      throw UsageError(fmt::format("{}: {}", pod.string(), error.what()));
    }
    night.when_busy = busy == "skip" ? WhenBusy::skip : busy == "wait" ? WhenBusy::wait : WhenBusy::idle_only;
    const auto before = previous ? newest_in(*previous) : std::nullopt;
    auto expected = nodes ? expanded(*nodes) : std::vector<std::string>{};
    const auto server = server_of(given);
    night.name_space = name_space_of(given);
    Stop stop;
    const auto since = results::utc_now();
    auto tested = test_nodes(server, night, stop, [](const std::string& sentence) {
      tell(fmt::format("muster fleet night: {}\n", results::shortened(sentence, 1500)));
    });
    for (const auto& name : expected)
      if (std::ranges::find(tested.nodes, name) == tested.nodes.end())
        tested.found.absences[name] = {"it is not among the nodes of the cluster that were to be tested"};
    expected.insert(expected.end(), tested.nodes.begin(), tested.nodes.end());
    return conclude(judged(heading(since), expected, std::move(tested.found)), before, output, json);
  });
}

int act_command(int argc, char** argv) {
  ApiOptions given;
  std::filesystem::path place;
  Acting wanted;
  double oldest_hours = a_day.count();
  CommandLine line(
      "Marks the nodes that failed with a label and a taint, and takes its marks off those that pass again",
      "muster fleet act");
  line.add("REPORT", place, "What `muster fleet collect` or `night` wrote, or a folder whose newest it is");
  line.add_positive("--oldest", oldest_hours, "Hours that the report may be old");
  line.add("--apply", wanted.apply, "Do it; without this it is only said what would be done");
  line.add("--most", wanted.cap.count, "Nodes that one report may mark anew: with more, none is");
  line.add_positive("--most-share", wanted.cap.share, "And this share of all, but one in any case");
  line.add_choice("--effect", wanted.effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, "Effect of the taint");
  line.add_positive("--wait", wanted.wait_seconds, "Seconds for all of it, where the API server is in trouble");
  add_server(line, given);
  line.examples({"muster fleet act muster-fleet.json", "muster fleet act muster-fleet.json --apply --most 1"});
  return line.run(argc, argv, [&] {
    const auto report = newest_in(place);
    if (!report) throw UsageError(fmt::format("{}: no report of a fleet is in this folder", place.string()));
    if (const auto why = outdated(*report, std::chrono::system_clock::now(), oldest_hours))
      throw UsageError(fmt::format("{}: {}: test the fleet again, or give --oldest", place.string(), *why));
    if (wanted.cap.share > 1) throw UsageError("--most-share: give a share such as 0.05, and at most 1");
    const Server server = server_of(given);
    Stop stop;
    const bool is_done = act(server, *report, wanted, stop, [](const std::string& sentence) {
      fmt::print("{}\n", results::shortened(sentence, 400));
    });
    return is_done ? 0 : exit_code(results::Status::unknown);
  });
}

}  // namespace muster::healthcheck::fleet
