// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "results/render/csv.hpp"

namespace muster::healthcheck::fleet {

std::string to_csv(const FleetReport& report, const results::View&) {
  results::Csv csv("kind,node,status,coverage,before,profile,started,check,metric,labels,count,reason,fault,action");
  const auto word = [](auto value) { return std::string(to_text(value)); };
  for (const auto& node : report.nodes) {
    const auto started = node.reports.empty() ? "" : node.reports.back().started;
    csv.row({"node", node.name, word(node.status), word(node.coverage), node.before, node.profile, started, "", "", "",
             "", node.reason, "", ""});
    for (const auto& problem : node.problems)
      csv.row({"problem", node.name, word(problem.status), "", "", node.profile, started, problem.check, problem.metric,
               results::to_text(problem.labels), static_cast<double>(problem.count), problem.reason, problem.fault,
               problem.action});
  }
  for (const auto& file : report.unreadable)
    csv.row({"file", file.path, word(results::Status::unknown), "", "", "", "", "", "", "", "", file.reason, "", ""});
  for (const auto& name : report.gone)
    csv.row({"gone", name, word(results::Status::warn), "", "", "", "", "", "", "", "", "", "", ""});
  csv.row({"fleet", "", word(report.status), "", "", "", report.made, "", "", "",
           static_cast<double>(report.nodes.size()), report.summary, "", ""});
  return csv.text();
}

}  // namespace muster::healthcheck::fleet
