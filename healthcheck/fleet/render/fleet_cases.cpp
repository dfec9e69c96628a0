// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "healthcheck/fleet/render/fleet_formats.hpp"
#include "results/render/cases.hpp"
#include "results/render/ctrf_json.hpp"
#include "results/render/junit.hpp"

namespace muster::healthcheck::fleet {

namespace {

using results::Case;
using results::Suite;

Case case_of(const results::SummaryProblem& problem) {
  auto name = results::case_name(problem.metric, problem.labels);
  if (problem.count > 1) name += fmt::format(", {} times", problem.count);
  return {.name = std::move(name),
          .of = problem.check,
          .status = problem.status,
          .reason = problem.reason,
          .fault = problem.fault,
          .action = problem.action};
}

// A node; what no problem tells is a case of its own.
Suite suite_of(const FleetNode& node) {
  Suite suite{.name = node.name, .place = node.name};
  if (!node.reports.empty()) suite.started = node.reports.back().started;
  for (const auto& problem : node.problems) suite.cases.push_back(case_of(problem));
  if (!node.reason.empty() || std::ranges::find(suite.cases, node.status, &Case::status) == suite.cases.end())
    suite.cases.push_back({.name = "fit for duty",
                           .of = "node",
                           .status = node.status,
                           .reason = node.reason.empty() ? std::string(state(node)) : node.reason});
  return suite;
}

results::Cases cases_of(const FleetReport& report) {
  results::Cases cases{.version = report.version, .run_id = report.run_id, .started = report.made, .suites = {}};
  for (const auto& node : report.nodes) cases.suites.push_back(suite_of(node));
  Suite rest{.name = "fleet"};
  for (const auto& file : report.unreadable)
    rest.cases.push_back({.name = file.path, .of = "file", .status = results::Status::unknown, .reason = file.reason});
  for (const auto& name : report.gone)
    rest.cases.push_back({.name = name, .of = "gone", .status = results::Status::warn, .reason = "this node is gone"});
  if (!is_good(report.status) && cases.suites.empty() && rest.cases.empty())
    rest.cases.push_back({.name = "something was judged", .of = "fleet", .reason = report.summary});
  if (!rest.cases.empty()) cases.suites.push_back(std::move(rest));
  return cases;
}

}  // namespace

std::string to_ctrf(const FleetReport& report, const results::View&) { return results::ctrf(cases_of(report)); }

std::string to_junit(const FleetReport& report, const results::View&) { return results::junit(cases_of(report)); }

}  // namespace muster::healthcheck::fleet
