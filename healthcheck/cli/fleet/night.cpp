// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/kubernetes/night.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "healthcheck/cli/fleet/commands.hpp"
#include "healthcheck/cli/fleet/report_document.hpp"
#include "healthcheck/kubernetes/api_options.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/start/host_names.hpp"
#include "results/strings/utf8.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr std::size_t max_name_length = 63;  // of a label's value

struct NightOptions {
  ApiOptions api;
  std::filesystem::path pod, output = "muster-fleet.json";
  std::optional<std::filesystem::path> previous;
  std::optional<std::string> nodes;
  std::string busy = "skip";
  Night night{.name_space = "", .name = "muster-night"};
  Shown shown;
};

void add_options(CommandLine& line, NightOptions& given) {
  Night& night = given.night;
  line.add("--pod", given.pod, "File with the Pod that tests a node, as JSON");
  line.add("--selector", night.selector, "Labels of the nodes, as kubectl takes them (default: all nodes)");
  line.add("--nodes", given.nodes, "Nodes that must be among them, as Slurm lists them: gpu-[0001-0100],login");
  line.add("--name", night.name, "Name of this night, with which those of its pods begin");
  line.add("--owner", night.owner.name, "Name of the pod that this is, with which those go");
  line.add("--owner-uid", night.owner.uid, "Its uid");
  line.add("--at-once", night.at_once, "Pods at the same time");
  line.add_choice("--when-busy", given.busy, {"skip", "wait", "idle-only"},
                  "A node without room for the pod is skipped or waited for, or one is skipped on which any work runs");
  line.add_positive("--busy-wait", night.busy_seconds, "Seconds that a pod may wait for room where it is skipped then");
  line.add_positive("--deadline", night.deadline_seconds, "Seconds for all of it");
  line.add_output("--report", given.output, results::Document::fleet_report,
                  "Where the report of the fleet goes; - is stdout");
  line.add("--previous", given.previous, previous_help);
  line.add("--json", given.shown.json, "Print the report instead of a table");
  add_also(line, given.shown);
  add_name_space(line, given.api);
  add_server(line, given.api);
}

// Throws UsageError.
void expect_good(const NightOptions& given) {
  if (given.pod.empty()) throw UsageError("--pod is missing: give a file with the Pod that tests a node");
  require_name("--name", given.night.name);
  if (given.night.name.size() > max_name_length)
    throw UsageError(fmt::format("--name: {} has more than {} characters", given.night.name, max_name_length));
}

// The night as the options want it. Throws UsageError.
Night prepared(const NightOptions& given) {
  Night night = given.night;
  if (night.at_once == 0) throw UsageError("--at-once: give one pod at least");
  night.pod_template = results::read_text(given.pod);
  try {
    pod_for(night.pod_template, night.name, "node", night.owner);
  } catch (const results::Error& error) {
    throw UsageError(fmt::format("{}: {}", given.pod.string(), error.what()));
  }
  night.when_busy = given.busy == "skip" ? WhenBusy::skip : given.busy == "wait" ? WhenBusy::wait : WhenBusy::idle_only;
  return night;
}

int test_all(const NightOptions& given, Night night) {
  const auto before = given.previous ? newest_in(*given.previous) : std::nullopt;
  auto expected =
      given.nodes ? distinct_names(hosts_of_list(*given.nodes, "--nodes"), "--nodes") : std::vector<std::string>{};
  const auto server = server_of(given.api);
  night.name_space = name_space_of(given.api);
  Stop stop;
  const auto since = results::utc_now();
  auto tested = test_nodes(server, night, stop, [](const std::string& sentence) {
    tell(fmt::format("muster fleet night: {}\n", results::shortened(sentence, 1500)));
  });
  std::set<std::string> known;
  for (const auto& name : tested.nodes) known.insert(same_name(name));
  for (const auto& name : expected)
    if (!known.contains(same_name(name)))
      tested.found.absences[name] = {"it is not among the nodes of the cluster that were to be tested"};
  expected.insert(expected.begin(), tested.nodes.begin(), tested.nodes.end());  // the cluster's spelling counts
  return finish_report(judged(heading(since), expected, std::move(tested.found)), before, given.output, given.shown);
}

}  // namespace

int night_command(int argc, char** argv) {
  NightOptions given;
  CommandLine line("Tests every node of a cluster once, each by a pod of its own, and makes one report of it",
                   "muster fleet night");
  add_options(line, given);
  line.examples({"muster fleet night --pod pod.json --selector agentpool=gpu",
                 "muster fleet night --pod pod.json --nodes gpu-[1-8] --at-once 4"});
  return line.run(argc, argv, [&] {
    expect_good(given);
    line.expect_outputs();
    return test_all(given, prepared(given));
  });
}

}  // namespace muster::healthcheck::fleet
