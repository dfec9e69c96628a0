// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>
#include <string>

#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/topology_file.hpp"
#include "results/system/file.hpp"
#include "topology/nccl/difference.hpp"
#include "topology/nccl/graph_file.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view nothing = "none";
constexpr const char* suspicious = "topology.suspicious";

std::string_view to_text(topology::Switches switches) {
  switch (switches) {
    case topology::Switches::seen:
      return "seen";
    case topology::Switches::recognised:
      return "recognised";
    case topology::Switches::inferred:
      break;
  }
  return "inferred";
}

class TopologyCheck : public Check {
 public:
  Description describe() const override {
    return {.name = "topology",
            .summary = "Whether the topology file that NCCL reads describes this machine",
            .scope = Scope::once,
            .resources = {},
            .tier = results::Tier::preflight,
            .typical_seconds = 0.1,
            .reads_tree_only = true,
            .part = Part::topology_file};
  }

  void run(Context& context) override {
    context.phase("reading the machine");
    const auto found = find_machine(context.sysfs());
    const auto file = topology_file(context.sysfs(), context.settings().topology);
    const auto gpus = topology::devices(found.machine, topology::DeviceKind::gpu).size();
    const auto graph = gpus > 0 ? graph_file(context.sysfs()) : std::nullopt;
    if (graph) add_graph(context, *graph, gpus);
    if (!file && !graph && found.switches != topology::Switches::recognised)
      throw Skip("NCCL is told no topology file here (NCCL_TOPO_FILE, nccl.conf); --topology names one" +
                 ineffective_setting(context.sysfs()));
    context.add("topology.switches", std::string(to_text(found.switches)));
    if (!file && found.switches != topology::Switches::recognised) return;
    context.add("topology.unused", file ? why_unread(*file)
                                        : fmt::format("NCCL reads no topology file here, and this is a machine of {}{}",
                                                      found.machine.name, ineffective_setting(context.sysfs())));
    if (!file) return;
    context.add("topology.file", file->path.string(), {{"told_by", file->told_by}});
    context.phase("comparing the file with the machine");
    compare(context, *file, found);
  }

 private:
  static std::string why_unread(const topology::NcclFile& file) {
    if (!file.has_carriage_return) return std::string(nothing);
    return fmt::format("NCCL up to 2.29 does not find {}, for its line of {} ends in a carriage return; remove that",
                       file.path.string(), file.told_by);
  }

  // NCCL takes rings and trees from this file, and searches for none that fit the machine.
  static void add_graph(Context& context, const topology::NcclFile& file, std::size_t gpus) {
    context.add("topology.graph_file", file.path.string(), {{"told_by", file.told_by}});
    std::string problem;
    try {
      problem = topology::why_graph_fails(topology::topology_text(file.path), gpus);
    } catch (const topology::Error& error) {
      problem = error.what();
    }
    context.add("topology.graph", problem.empty() ? std::string(nothing)
                                                  : fmt::format("NCCL ends with the graph file {} (told by {}): {}",
                                                                file.path.string(), file.told_by, problem));
  }

  static void compare(Context& context, const topology::NcclFile& file, const topology::Discovery& found) {
    try {
      const std::string text = topology::topology_text(file.path);
      context.add("topology.sha256", results::sha256(text));
      add(context, topology::check_topology(text, found));
      context.add("topology.unreadable", std::string(nothing));
    } catch (const topology::Error& error) {
      context.add("topology.unreadable", fmt::format("{} (told by {})", error.what(), file.told_by));
    }
  }

  // One fact for each finding, warnings all under one name; "none" for what was looked for and not found.
  static void add(Context& context, const topology::Findings& findings) {
    std::set<std::string> clean{suspicious};
    for (const auto wrong : topology::all_wrongs()) clean.insert(metric(wrong));
    for (const auto& finding : findings) {
      const bool error = finding.severity == topology::Severity::error;
      context.add(error ? metric(finding.wrong) : suspicious, finding.what, labels(finding));
      clean.erase(metric(finding.wrong));
      if (!error) clean.erase(suspicious);
    }
    for (const std::string& name : clean) context.add(name, std::string(nothing));
  }

  static std::string metric(topology::TopologyDefect wrong) {
    return fmt::format("topology.{}", topology::to_text(wrong));
  }

  static results::Labels labels(const topology::Finding& finding) {
    results::Labels labels;
    if (finding.line > 0) labels.emplace("line", std::to_string(finding.line));
    constexpr std::string_view numa = "numa ";
    if (finding.device.starts_with(numa))
      labels.emplace("numa", finding.device.substr(numa.size()));
    else if (!finding.device.empty())
      labels.emplace("pci", finding.device);
    return labels;
  }
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<TopologyCheck>(); }

}  // namespace muster::healthcheck
