// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "results/render/ticket.hpp"

namespace muster::healthcheck::fleet {
namespace {

results::TicketFinding finding_of(const results::SummaryProblem& problem) {
  return {.status = problem.status,
          .what = results::finding_name(problem.metric, problem.labels),
          .reason = problem.reason,
          .fault = problem.fault,
          .action = problem.action,
          .labels = problem.labels,
          .times = problem.count};
}

// The report of a fleet does not have what a machine is; the node's own has.
results::Ticket ticket_of(const FleetNode& node, const FleetReport& report) {
  results::Ticket ticket{.node = node.name,
                         .status = node.status,
                         .summary = node.reason,
                         .machine = {{"host", node.name}},
                         .serials = {},
                         .findings = {},
                         .check_again = ""};
  if (ticket.summary.empty()) ticket.summary = fmt::format("{} findings", node.problems.size() + node.omitted);
  for (const auto& source : node.reports)
    ticket.machine.push_back(
        {"tested", fmt::format("{}, run {}, report {}", source.started, source.run_id, source.path)});
  ticket.machine.push_back(
      {"judged by", fmt::format("profile {}, muster {}, fleet of {}", node.profile, report.version, report.made)});
  for (const auto& problem : node.problems) ticket.findings.push_back(finding_of(problem));
  const auto whole = std::ranges::find(node.reports, true, &Source::is_whole);
  if (whole != node.reports.end())
    ticket.machine.push_back({"serial numbers", "are in the node's own report: muster report FILE --format ticket"});
  return ticket;
}

}  // namespace

std::string to_ticket(const FleetReport& report, const results::View& view) {
  std::string text;
  for (const auto& node : report.nodes)
    if (node.status == results::Status::fail || report.nodes.size() == 1)
      text += (text.empty() ? "" : "\n") + results::ticket_text(ticket_of(node, report), view.catalogue);
  return text.empty() ? fmt::format("muster ticket: none, for none of {} nodes fails\n", report.nodes.size()) : text;
}

}  // namespace muster::healthcheck::fleet
