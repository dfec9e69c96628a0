// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/unasked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "healthcheck/catalogue/unreadable.hpp"
#include "healthcheck/judge/fact.hpp"
#include "results/values/problems.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using results::Report;
using results::Status;

// The fault of a run that did not come to its end; empty of one that did.
std::string_view fault_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished:
    case Outcome::skipped:
    case Outcome::not_built:
      return "";
    case Outcome::pending:
    case Outcome::running:
      return "check_unfinished";
    case Outcome::error:
      return "check_error";
    case Outcome::crashed:
      return "check_crashed";
    case Outcome::timed_out:
      return "check_timed_out";
    case Outcome::not_started:
      return "check_not_started";
    case Outcome::out_of_budget:
      return "out_of_budget";
    case Outcome::interrupted:
      return "interrupted";
    case Outcome::in_use:
      return "machine_in_use";
  }
  return "";
}

// Of a job that one host kept from its start: that host, for the others did nothing.
results::Labels culprit_of(const CheckRun& run) {
  results::Labels found;
  for (const auto& fact : run.measurements) {
    const auto host = fact.labels.find("host");
    if (host == fact.labels.end() || (!fact.metric.ends_with(".failed_host") && !fact.metric.ends_with(".absent_host")))
      continue;
    if (!found.empty()) return {};
    found = {*host};
  }
  return found;
}

// About a fact of a run.
RunVerdict about(const results::Measurement& fact, const Report& report, std::size_t run, const Assessment& assessment,
                 const Faults& faults) {
  auto made = make_verdict(report, run, fact.labels, assessment, faults);
  made.verdict.metric = fact.metric;
  made.verdict.value = fact.value;
  return made;
}

}  // namespace

std::string ending_with_phase(const CheckRun& run) {
  auto text = ending(run);
  if (!run.phase.empty() && run.reason.find(run.phase) == std::string::npos)
    text += fmt::format(" (phase: {})", run.phase);
  return text;
}

std::vector<RunVerdict> doubts(const Report& report, const Faults& faults) {
  const auto& doubt = report.profile.doubt;
  if (doubt.empty() || report.checks.empty()) return {};
  const auto inventory = std::ranges::find(report.checks, "inventory", &CheckRun::check);
  const auto run = inventory == report.checks.end() ? report.checks.begin() : inventory;
  return {make_verdict(report, static_cast<std::size_t>(run - report.checks.begin()), {},
                       {Status::warn, doubt, "profile_uncertain"}, faults)};
}

std::vector<RunVerdict> unreadable_files(const Report& report, const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  for (std::size_t i = 0; i < report.checks.size(); ++i)
    for (const auto& fact : report.checks[i].measurements) {
      if (!is_of_unreadable_file(fact)) continue;
      const Assessment assessment{Status::unknown, results::to_text(fact.value), std::string(unreadable_file_fault)};
      run_verdicts.push_back(about(fact, report, i, assessment, faults));
    }
  return run_verdicts;
}

std::vector<RunVerdict> unanswered(const Report& report, const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  if (report.selection.only.size() < 2) return run_verdicts;  // what measured nothing at all is no pass
  for (const auto& name : std::set(report.selection.only.begin(), report.selection.only.end()))
    for (const auto& [host, runs] : first_attempts(report, name)) {
      const auto measured_nothing = [&](std::size_t i) {
        const auto outcome = report.checks[i].outcome;
        return outcome == Outcome::skipped || outcome == Outcome::not_built;
      };
      if (!std::ranges::all_of(runs, measured_nothing)) continue;
      const auto reason = fmt::format("it was asked for by name, and {}", ending(report.checks[runs.front()]));
      run_verdicts.push_back(
          make_verdict(report, runs.front(), {}, {Status::unknown, reason, "check_unavailable"}, faults));
    }
  return run_verdicts;
}

std::vector<RunVerdict> endings(const Report& report, const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  for (std::size_t i = 0; i < report.checks.size(); ++i)
    if (const CheckRun& run = report.checks[i]; !ended_well(run)) {
      const std::string code(fault_of(run.outcome));
      auto& made = run_verdicts.emplace_back(
          make_verdict(report, i, culprit_of(run), {Status::unknown, ending_with_phase(run), code}, faults));
      const auto* fault = faults.find(code);
      if (fault != nullptr && !fault->action_where_waiting.empty() && run.kernel_function.empty())
        made.verdict.action = fault->action_where_waiting;
    }
  return run_verdicts;
}

std::vector<RunVerdict> unexpected_impossible(const Report& report, const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    for (const auto& measurement : report.checks[i].measurements) {
      const auto assessment = impossible(measurement);
      if (!assessment) continue;
      auto made = about(measurement, report, i, *assessment, faults);
      const auto says_so = [&](const results::Verdict& verdict) {
        return verdict.fault == assessment->fault && verdict.metric == measurement.metric &&
               verdict.labels == made.verdict.labels;
      };
      if (std::ranges::none_of(report.checks[i].verdicts, says_so)) run_verdicts.push_back(std::move(made));
    }
  }
  return run_verdicts;
}

}  // namespace muster::healthcheck
