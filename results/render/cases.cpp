// SPDX-License-Identifier: Apache-2.0
#include "results/render/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "results/values/problems.hpp"

namespace muster::results {
namespace {

Case case_of(const std::string& check, const Verdict& verdict) {
  return {.name = case_name(verdict.metric, verdict.labels),
          .of = check,
          .status = verdict.status,
          .reason = verdict.reason,
          .fault = verdict.fault,
          .expected = verdict.expected,
          .source = verdict.source,
          .action = verdict.action};
}

std::string suite_name(const CheckRun& run) {
  std::string name = run.check;
  if (!run.component.empty()) name += fmt::format(" ({})", to_text(run.component));
  if (run.attempt > 1) name += fmt::format(", attempt {}", run.attempt);
  return name;
}

Suite suite_of(const CheckRun& run) {
  Suite suite{.name = suite_name(run),
              .place = run.host.empty() ? "" : place(run),
              .started = run.started,
              .seconds = run.duration_seconds};
  for (const Verdict& verdict : run.verdicts) suite.cases.push_back(case_of(run.check, verdict));
  if (std::ranges::find(run.verdicts, run.status, &Verdict::status) == run.verdicts.end())
    suite.cases.push_back({.name = run.check,
                           .of = run.check,
                           .status = run.status,
                           .reason = run.information.empty() ? ending(run) : run.information});
  suite.cases.front().seconds = run.duration_seconds;
  return suite;
}

bool is_told(const Cases& cases) {
  return std::ranges::any_of(cases.suites, [](const Suite& suite) {
    return std::ranges::any_of(suite.cases, [](const Case& each) { return each.status >= Status::unknown; });
  });
}

}  // namespace

Cases cases_of(const Report& report) {
  Cases cases{.version = report.version,
              .run_id = report.run_id,
              .started = report.started,
              .seconds = report.duration_seconds,
              .suites = {}};
  for (const CheckRun& run : report.checks) cases.suites.push_back(suite_of(run));
  if (!is_good(report.status) && !is_told(cases))
    cases.suites.push_back(
        {.name = "muster", .cases = {{.name = "something was judged", .of = "report", .reason = report.summary}}});
  return cases;
}

std::string case_name(const std::string& metric, const Labels& labels) {
  return labels.empty() ? metric : fmt::format("{} ({})", metric, to_text(labels));
}

std::string details(const Case& each) {
  std::string text = each.fault.empty() ? each.reason : fmt::format("{}: {}", each.fault, each.reason);
  if (!each.expected.empty()) text += fmt::format("\nexpected: {}", each.expected);
  if (!each.source.empty()) text += fmt::format("\nsource: {}", each.source);
  if (!each.action.empty()) text += fmt::format("\naction: {}", each.action);
  return text;
}

}  // namespace muster::results
