// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/cli/topology.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/check/topology_file.hpp"
#include "healthcheck/cli/command.hpp"
#include "healthcheck/cli/commands.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/outputs.hpp"
#include "healthcheck/program/streams.hpp"
#include "topology/machine/picture.hpp"
#include "topology/nccl/difference.hpp"
#include "topology/nccl/lint.hpp"
#include "topology/nccl/machine_json.hpp"

namespace muster::healthcheck {
namespace {

// One finding, what to do, and how many there are; on stdout, because it is what was asked for.
int conclude(const std::string& file, const topology::Findings& findings) {
  const Faults faults(installation().faults);
  std::size_t errors = 0;
  for (const topology::Finding& finding : findings) {
    const bool error = finding.severity == topology::Severity::error;
    errors += error ? 1 : 0;
    const std::string code = fmt::format("topology_{}", to_text(finding.wrong));
    fmt::print("{}{}: {}: {}{}{} [{}]\n", file, finding.line > 0 ? fmt::format(":{}", finding.line) : "",
               error ? "error" : "warning", finding.device, finding.device.empty() ? "" : ": ", finding.what, code);
    if (const Fault* fault = faults.find(code)) fmt::print("    {}\n", fault->action);
  }
  fmt::print("{}: {} error{}, {} warning{}\n", file, errors, errors == 1 ? "" : "s", findings.size() - errors,
             findings.size() - errors == 1 ? "" : "s");
  return errors == 0 ? 0 : 1;
}

int show(int argc, char** argv) {
  std::optional<std::string> file;
  std::string format = "text";
  std::filesystem::path root = "/";
  CommandLine line("Shows a topology file, or this machine", "muster topology show");
  line.add("FILE", file, "A topology file, or 'live' for this machine (default: live)");
  line.add_choice("--format", format, {"text", "json"}, "text or json");
  line.add_folder("--root", root, "A captured tree in the place of this machine");
  line.examples({"muster topology show", "muster topology show ndv5-topo.xml --format json"});
  return line.run(argc, argv, [&] {
    topology::Discovery shown;
    if (file.value_or("live") == "live")
      shown = find_machine(topology::Sysfs(root));
    else
      shown.machine = topology::of_topology_file(*file, topology::read_topology).machine;
    const auto hosts = host_hashes(shown.machine).size();
    shown.machine = first_host(std::move(shown.machine));
    if (hosts > 1) tell(fmt::format("muster topology show: this is a dump of {} hosts; here is the first\n", hosts));
    if (format == "json")
      print_document(to_json(shown.machine, shown.names));
    else
      fmt::print("{}", picture(shown.machine, shown.names));
    if (format == "text" && shown.switches == topology::Switches::inferred)
      fmt::print("\nThis machine hides its switches; GPUs and NICs are paired by the order of their addresses.\n");
    return 0;
  });
}

int lint_topology(int argc, char** argv) {
  std::string file;
  CommandLine line("Says what is wrong with a topology file, whatever the machine", "muster topology lint");
  line.add("FILE", file, "A topology file (NCCL_TOPO_FILE) or graph file (NCCL_GRAPH_FILE)");
  line.examples({"muster topology lint ndv5-topo.xml", "muster topology lint graph.xml"});
  return line.run(argc, argv, [&] {
    return conclude(file, topology::of_topology_file(file, [](std::string_view text) { return topology::lint(text); }));
  });
}

int check(int argc, char** argv) {
  std::string file;
  std::filesystem::path root = "/";
  CommandLine line("Says where a topology file does not describe this machine", "muster topology check");
  line.add("FILE", file, "A topology file");
  line.add_folder("--root", root, "A captured tree in the place of this machine");
  line.examples({"muster topology check ndv5-topo.xml", "muster topology check ndv5-topo.xml --root captured"});
  return line.run(argc, argv, [&] {
    const auto found = find_machine(topology::Sysfs(root));
    return conclude(file, topology::of_topology_file(
                              file, [&](std::string_view text) { return topology::check_topology(text, found); }));
  });
}

int generate(int argc, char** argv) {
  std::filesystem::path root = "/";
  std::filesystem::path output = standard_stream;
  CommandLine line("Writes the topology file of this machine", "muster topology generate");
  line.add_folder("--root", root, "A captured tree in the place of this machine");
  line.add_output("--output", output, results::Document::other, "Where the file goes; - is stdout");
  line.examples({"muster topology generate", "muster topology generate --output topo.xml"});
  return line.run(argc, argv, [&] {
    line.expect_outputs();
    const auto found = find_machine(topology::Sysfs(root));
    write_document(output, to_nccl_xml(for_nccl(found)));
    if (found.switches == topology::Switches::inferred)
      tell(
          "muster topology generate: the switches are inferred: GPUs and NICs are paired by the order of their "
          "addresses; measure the pairs before you trust them\n");
    return 0;
  });
}

constexpr std::array commands_of_topology{
    Command{"show", "Show a topology file, or this machine, as a picture or JSON", show},
    Command{"lint", "Say what is wrong with a topology file", lint_topology},
    Command{"check", "Say where a topology file does not describe this machine", check},
    Command{"generate", "Write the topology file of this machine", generate},
    Command{"place", "Say which GPU, NIC and CPUs each rank gets", place},
};

}  // namespace

int topology_command(int argc, char** argv) {
  constexpr Group group{.name = "topology",
                        .summary = "Reads, checks, makes and uses the topology files of NCCL",
                        .exits = "0 no error, 1 errors were found, 2 usage or no topology file"};
  return run_group(group, commands_of_topology, argc, argv);
}

}  // namespace muster::healthcheck
