// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/render/fleet_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "healthcheck/fleet/html/fleet_page.hpp"
#include "healthcheck/program/error.hpp"
#include "results/render/formats.hpp"
#include "results/strings/suggest.hpp"

namespace muster::healthcheck::fleet {

// Each is the one function of its source.
// NOLINTBEGIN(readability-redundant-declaration): where a unit of the build has that source, too
std::string to_csv(const FleetReport& report, const results::View& view);
std::string to_ctrf(const FleetReport& report, const results::View& view);
std::string to_junit(const FleetReport& report, const results::View& view);
std::string to_openmetrics(const FleetReport& report, const results::View& view);
std::string to_ticket(const FleetReport& report, const results::View& view);
// NOLINTEND(readability-redundant-declaration)

namespace {

constexpr std::array all_formats = {
    FleetFormat{"text", "a table for people",
                [](const FleetReport& report, const results::View&) { return to_text(report); }},
    FleetFormat{"json", "the report itself",
                [](const FleetReport& report, const results::View&) { return to_json(report); }},
    FleetFormat{"junit", "test cases for CI systems", to_junit},
    FleetFormat{"ctrf", "the same as JSON, by ctrf.io", to_ctrf},
    FleetFormat{"csv", "a row for each node and problem, for spreadsheets", to_csv, "kind,node,"},
    FleetFormat{"openmetrics", "time series for Prometheus", to_openmetrics},
    FleetFormat{"html", "one page with a map of nodes and checks, which loads nothing",
                [](const FleetReport& report, const results::View&) { return to_html(report); }},
    FleetFormat{"ticket", "the text for a cloud or a vendor, of each node that fails", to_ticket},
};

}  // namespace

std::vector<std::string> fleet_format_names() { return results::names_of(all_formats); }
std::string fleet_format_summaries() { return results::summaries_of(all_formats); }

std::vector<AlsoForm> fleet_forms() {
  std::vector<AlsoForm> forms;
  for (const auto& format : all_formats)
    forms.push_back({std::string(format.name),
                     std::string(format.begins.empty() ? results::format_of(format.name).begins : format.begins)});
  return forms;
}

std::string rendered(std::string_view format, const FleetReport& report, const results::View& view) {
  const auto found = std::ranges::find(all_formats, format, &FleetFormat::name);
  if (found == all_formats.end()) throw std::logic_error(fmt::format("no format {}", format));
  return view.redact ? found->render(redacted(report), view) : found->render(report, view);
}

FleetReport of_node(const FleetReport& report, std::string_view name) {
  const auto found = std::ranges::find(report.nodes, name, &FleetNode::name);
  if (found == report.nodes.end()) {
    std::vector<std::string> names;
    for (const auto& node : report.nodes) names.push_back(node.name);
    throw UsageError(fmt::format("--node: the report has no node '{}'.{}", name, results::suggestion(name, names)));
  }
  auto only = report;
  only.nodes = {*found};
  only.unreadable.clear();
  only.gone.clear();
  only.metrics.clear();
  only.peers = {};
  only.status = found->status;
  only.summary = fmt::format("{}, one of {} nodes: {}", found->name, report.nodes.size(), state(*found));
  return only;
}

}  // namespace muster::healthcheck::fleet
