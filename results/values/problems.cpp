// SPDX-License-Identifier: Apache-2.0
#include "results/values/problems.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace muster::results {
namespace {

bool is_problem(Status status) { return status >= Status::warn; }

bool same_cause(const Problem& problem, const Verdict& verdict) {
  const Verdict& first = problem.verdict;
  return !first.value && !verdict.value && first.status == verdict.status && first.reason == verdict.reason &&
         first.fault == verdict.fault && first.action == verdict.action;
}

// What a person would read of both is the same, but for the labels.
bool reads_alike(const Problem& one, const Problem& other) {
  const auto told = [](const Problem& problem) {
    const Verdict& verdict = problem.verdict;
    return std::tie(problem.host, verdict.status, verdict.reason, verdict.fault, verdict.action);
  };
  const auto found = [](const Problem& problem) {
    const Verdict& verdict = problem.verdict;
    return std::tie(problem.check, verdict.metric, verdict.value, verdict.expected);
  };
  const bool is_unmeasured = !one.verdict.value && !other.verdict.value;
  return told(one) == told(other) && (is_unmeasured || found(one) == found(other));
}

void add(Problem& problem, const std::vector<Verdict>& more) {
  if (problem.alike.empty()) problem.alike.push_back(problem.verdict);
  problem.alike.insert(problem.alike.end(), more.begin(), more.end());
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
    const auto known =
        std::ranges::find_if(found, [&](const Problem& problem) { return same_cause(problem, verdict); });
    if (known == found.end())
      found.push_back({run.check, host_of(verdict, run), verdict, {}});
    else
      add(*known, {verdict});
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

std::vector<Problem> together(const std::vector<Problem>& problems) {
  std::vector<Problem> told;
  for (const Problem& problem : problems) {
    const auto known = std::ranges::find_if(told, [&](const Problem& each) { return reads_alike(each, problem); });
    if (known == told.end())
      told.push_back(problem);
    else
      add(*known, problem.alike.empty() ? std::vector{problem.verdict} : problem.alike);
  }
  return told;
}

std::size_t count(const Problem& problem) { return std::max<std::size_t>(problem.alike.size(), 1); }

std::string ending(const CheckRun& run) {
  std::string text(to_text(run.outcome));
  std::ranges::replace(text, '_', ' ');
  return run.reason.empty() ? text : text + ": " + run.reason;
}

}  // namespace muster::results
