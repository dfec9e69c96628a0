// SPDX-License-Identifier: Apache-2.0
#include "results/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "results/error.hpp"

namespace muster::results {
namespace {

std::string of_run(const CheckRun& run) {
  const bool is_unjudged = run.verdicts.empty() && run.status == Status::unknown;
  if (const auto given = worst(run.verdicts); run.status != given && !is_unjudged)
    return fmt::format("check {} is {}, and its verdicts are {}", run.check, to_text(run.status), to_text(given));
  if (!ended_well(run) && run.status < Status::unknown)
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
  const auto given = status_of_checks(report);
  const bool is_unfinished = report.status == Status::unknown && std::ranges::any_of(report.checks, is_open);
  if (report.status == given || is_unfinished) return {};
  return fmt::format("the report is {}, and its checks are {}", to_text(report.status), to_text(given));
}

void expect_no_contradiction(const Report& report) {
  if (const auto found = contradiction(report); !found.empty()) throw Error("it contradicts itself: " + found);
}

}  // namespace muster::results
