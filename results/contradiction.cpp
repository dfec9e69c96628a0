// SPDX-License-Identifier: Apache-2.0
#include "results/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::results {
namespace {

bool is_open(const CheckRun& run) { return run.outcome == Outcome::pending || run.outcome == Outcome::running; }

bool has_ended_well(const CheckRun& run) {
  return run.outcome == Outcome::finished || run.outcome == Outcome::skipped || run.outcome == Outcome::not_built;
}

std::string of_run(const CheckRun& run) {
  const bool is_unjudged = run.verdicts.empty() && run.status == Status::unknown;
  if (const auto given = worst(run.verdicts); run.status != given && !is_unjudged)
    return fmt::format("check {} is {}, and its verdicts are {}", run.check, to_text(run.status), to_text(given));
  if (!has_ended_well(run) && run.status < Status::unknown)
    return fmt::format("check {} is {}, and its outcome is {}", run.check, to_text(run.status), to_text(run.outcome));
  for (const auto& fact : run.measurements)
    if (const auto* value = std::get_if<Quantity>(&fact.value);
        value && fact.summary && value->value != fact.summary->median)
      return fmt::format("{} is {}, and the median of its samples {}", fact.metric, value->value, fact.summary->median);
  return {};
}

}  // namespace

std::string contradiction(const Report& report) {
  for (const auto& run : report.checks)
    if (auto found = of_run(run); !found.empty()) return found;
  for (const auto& name : report.selection.only)
    if (std::ranges::find(report.checks, name, &CheckRun::check) == report.checks.end())
      return fmt::format("check {} was asked for, and is not there", name);
  auto given = Status::skip;
  bool is_judged = false;
  for (const auto& run : report.checks) {
    given = std::max(given, run.status);
    is_judged = is_judged || !run.verdicts.empty();
  }
  if (!is_judged) given = Status::unknown;
  const bool is_unfinished = report.status == Status::unknown && std::ranges::any_of(report.checks, is_open);
  if (report.status == given || is_unfinished) return {};
  return fmt::format("the report is {}, and its checks are {}", to_text(report.status), to_text(given));
}

}  // namespace muster::results
