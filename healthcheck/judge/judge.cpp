// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/judge.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "healthcheck/judge/fact.hpp"
#include "healthcheck/judge/missing.hpp"
#include "healthcheck/judge/run_verdict.hpp"
#include "healthcheck/judge/statuses.hpp"
#include "healthcheck/judge/unasked.hpp"

namespace muster::healthcheck {

results::Report judge(results::Report facts, const Profile& profile, const Faults& faults) {
  auto report = with_absent_checks(without_verdicts(std::move(facts)), profile);
  const auto pronounce = [&report](std::vector<RunVerdict> run_verdicts) {
    for (RunVerdict& run_verdict : run_verdicts)
      report.checks[run_verdict.run].verdicts.push_back(std::move(run_verdict.verdict));
  };
  for (const Expectation& expectation : profile.expectations) {
    const bool about_evidence = expectation.check.empty();
    if (!in_force(expectation, report.selection)) {
      if (!about_evidence) pronounce(not_selected(report, expectation, faults));
    } else if (about_evidence) {
      pronounce(assess_evidence(report, expectation, faults));
    } else {
      pronounce(assess_facts(report, expectation, faults));
      pronounce(unmeasured(report, expectation, profile, faults));
    }
  }
  pronounce(doubts(report, faults));
  pronounce(unreadable_files(report, faults));
  pronounce(unanswered(report, faults));
  pronounce(endings(report, faults));
  pronounce(unexpected_impossible(report, faults));
  return with_statuses(std::move(report), profile);
}

std::vector<std::string> checks_to_confirm(const results::Report& facts, const Profile& profile, const Faults& faults) {
  std::vector<std::string> checks;
  for (const Expectation& expectation : profile.expectations) {
    if (expectation.bound.kind != BoundKind::peers || !in_force(expectation, facts.selection)) continue;
    const auto run_verdicts = assess_facts(facts, expectation, faults);
    if (std::ranges::any_of(run_verdicts, &RunVerdict::needs_confirmation) &&
        std::ranges::find(checks, expectation.check) == checks.end())
      checks.push_back(expectation.check);
  }
  return checks;
}

}  // namespace muster::healthcheck
