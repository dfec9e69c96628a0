// SPDX-License-Identifier: Apache-2.0
#include "results/problems.hpp"

#include <algorithm>
#include <functional>

namespace muster::results {
namespace {

bool is_problem(Status status) { return status >= Status::warn; }

bool same_cause(const Problem& problem, const Verdict& verdict) {
  const Verdict& first = problem.verdict;
  return !first.value && !verdict.value && first.status == verdict.status && first.reason == verdict.reason &&
         first.fault == verdict.fault && first.action == verdict.action;
}

// What was measured over several hosts is about one of them only where it says so.
std::string host_of(const Verdict& verdict, const CheckRun& run) {
  const auto own = verdict.labels.find("host");
  return own == verdict.labels.end() ? run.host : own->second;
}

std::vector<Problem> problems_of(const CheckRun& run) {
  std::vector<Problem> found;
  for (const Verdict& verdict : run.verdicts) {
    if (!is_problem(verdict.status)) continue;
    const auto alike =
        std::ranges::find_if(found, [&](const Problem& problem) { return same_cause(problem, verdict); });
    if (alike == found.end())
      found.push_back({run.check, host_of(verdict, run), verdict, {}});
    else if (alike->unmeasured.empty())
      alike->unmeasured = {alike->verdict, verdict};
    else
      alike->unmeasured.push_back(verdict);
  }
  if (found.empty() && is_problem(run.status)) {
    Problem& problem = found.emplace_back();
    problem.check = run.check;
    problem.host = run.host;
    problem.verdict.status = run.status;
    problem.verdict.metric = run.check;
    problem.verdict.labels = run.component;
    problem.verdict.reason = ending(run);
  }
  return found;
}

}  // namespace

std::vector<Problem> problems(const Report& report) {
  std::vector<Problem> all;
  for (const CheckRun& run : report.checks) std::ranges::move(problems_of(run), std::back_inserter(all));
  std::ranges::stable_sort(all, std::greater{}, [](const Problem& problem) { return problem.verdict.status; });
  return all;
}

std::size_t count(const Problem& problem) { return std::max<std::size_t>(problem.unmeasured.size(), 1); }

std::string ending(const CheckRun& run) {
  std::string text(to_text(run.outcome));
  std::ranges::replace(text, '_', ' ');
  return run.reason.empty() ? text : text + ": " + run.reason;
}

}  // namespace muster::results
