// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "results/render/exposition.hpp"

namespace muster::healthcheck::fleet {
namespace {

using results::as_number;
using results::count;
using results::Quantity;
using results::Unit;

// results/FORMATS.md says so.
constexpr std::size_t most_faults_of_node = 8;
constexpr std::size_t most_series_of_node = 2 + most_faults_of_node;
constexpr std::size_t most_series_of_fleet = 16;

std::optional<Quantity> instant(const std::string& text) {
  const auto time = results::time_from(text);
  if (!time) return std::nullopt;
  return Quantity{static_cast<double>(time->time_since_epoch().count()), Unit::second};
}

void add(results::Exposition& out, const FleetNode& node) {
  out.add("node.status", as_number(node.status),
          fmt::format("What a fleet knows of a node: {}", results::statuses_as_numbers), {{"host", node.name}});
  if (const auto time = instant(node.reports.empty() ? "" : node.reports.back().started))
    out.add("node.time", *time, "When the last run of a node began, since 1970", {{"host", node.name}});
  std::map<std::string, std::size_t> faults;
  for (const auto& problem : node.problems)
    if (faults.size() < most_faults_of_node || faults.contains(problem.fault)) faults[problem.fault] += problem.count;
  for (const auto& [fault, times] : faults)
    out.add("node.problems", count(times), "Expectations that a node did not meet, by fault code",
            {{"fault", fault}, {"host", node.name}});
}

void add_fleet(results::Exposition& out, const FleetReport& report) {
  out.add("fleet.status", as_number(report.status),
          fmt::format("The verdict of a fleet: {}", results::statuses_as_numbers), {});
  if (const auto time = instant(report.made))
    out.add("fleet.time", *time, "When the report of a fleet was made, since 1970", {});
  std::map<std::string_view, std::size_t> nodes{{"pass", 0}, {"warn", 0},    {"unknown", 0},
                                                {"fail", 0}, {"missing", 0}, {"skipped", 0}};
  for (const auto& node : report.nodes) ++nodes[state(node)];
  for (const auto& [what, number] : nodes)
    out.add("fleet.nodes", count(number), "Nodes of a fleet, by their state", {{"state", std::string(what)}});
  out.add("fleet.unreadable_files", count(report.unreadable.size()), "Files in the place of reports that are none", {});
  out.add("fleet.gone_nodes", count(report.gone.size()), "Nodes that an older report had", {});
}

}  // namespace

std::string to_openmetrics(const FleetReport& report, const results::View&) {
  results::Exposition out(most_series_of_fleet + most_series_of_node * report.nodes.size());
  add_fleet(out, report);
  for (const auto& node : report.nodes) add(out, node);
  return out.text();
}

}  // namespace muster::healthcheck::fleet
