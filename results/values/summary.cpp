// SPDX-License-Identifier: Apache-2.0
#include "results/values/summary.hpp"

#include "results/strings/utf8.hpp"
#include "results/values/problems.hpp"

namespace muster::results {
namespace {

Labels short_labels(const Labels& labels) {
  Labels few;
  for (const auto& [name, value] : labels)
    if (few.size() < max_summary_labels) few[shortened(name, 24)] = shortened(value, 48);
  return few;
}

SummaryProblem short_problem(const Problem& problem) {
  const Verdict& verdict = problem.verdict;
  return {.status = verdict.status,
          .check = shortened(problem.check, 48),
          .host = shortened(problem.host, 64),
          .metric = shortened(verdict.metric, 64),
          .labels = short_labels(verdict.labels),
          .count = count(problem),
          .reason = shortened(verdict.reason, 200),
          .fault = shortened(verdict.fault, 48),
          .action = shortened(verdict.action, 160)};
}

// As many as summary.schema.json takes.
std::vector<std::string> short_names(const std::vector<std::string>& names) {
  std::vector<std::string> few;
  for (const auto& name : names)
    if (few.size() < max_summary_checks) few.push_back(shortened(name, 32));
  return few;
}

Selection short_selection(const Selection& selection) {
  return {.tier = selection.tier, .only = short_names(selection.only), .skip = short_names(selection.skip)};
}

}  // namespace

ReportSummary summary_of(const Report& report, std::size_t max_problems) {
  ReportSummary summary{.version = shortened(report.version, 48),
                        .run_id = shortened(report.run_id, 64),
                        .started = is_time(report.started) ? report.started : "",
                        .host = report.hosts.empty() ? "" : shortened(report.hosts.front().name, 64),
                        .host_count = report.hosts.size(),
                        .profile = shortened(report.profile.name, 64),
                        .selection = short_selection(report.selection),
                        .status = report.status,
                        .sentence = shortened(report.summary, 240)};
  for (const Problem& problem : problems(report)) {
    if (summary.problems.size() < max_problems)
      summary.problems.push_back(short_problem(problem));
    else
      summary.omitted += count(problem);
  }
  return summary;
}

}  // namespace muster::results
