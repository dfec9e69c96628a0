// SPDX-License-Identifier: Apache-2.0
#include "results/values/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "results/system/error.hpp"

namespace muster::results {
namespace {

std::string of_statuses(const CheckRun& run) {
  const bool is_unjudged = run.verdicts.empty() && run.status == Status::unknown;
  if (const auto given = worst(run.verdicts); run.status != given && !is_unjudged)
    return fmt::format("check {} is {}, and its verdicts are {}", run.check, to_text(run.status), to_text(given));
  if (!ended_well(run) && run.status < Status::unknown)
    return fmt::format("check {} is {}, and its outcome is {}", run.check, to_text(run.status), to_text(run.outcome));
  return {};
}

// That a check is of another machine than the report.
std::string of_hosts(const Report& report) {
  const auto is_another = [&](const std::string& host) {
    return !host.empty() && std::ranges::find(report.hosts, host, &Host::name) == report.hosts.end();
  };
  for (const auto& run : report.checks) {
    if (is_another(run.host)) return fmt::format("check {} is of host {}, and the report is not", run.check, run.host);
    if (const auto other = std::ranges::find_if(run.hosts, is_another); other != run.hosts.end())
      return fmt::format("check {} is of host {}, and the report is not", run.check, *other);
  }
  return {};
}

// What one fact says, but for the labels that it has of its run. No two facts that differ have the same text.
std::string saying(const CheckRun& run, std::string_view metric, const Labels& labels, const Value& value) {
  std::string said = fmt::format("{}:{}", metric.size(), metric);
  for (const auto& label : labels) {
    const auto& [name, of] = label;
    if (!is_of_run(run, label)) said += fmt::format("{}:{}{}:{}", name.size(), name, of.size(), of);
  }
  if (const auto* quantity = std::get_if<Quantity>(&value))
    return said + fmt::format("={} {}", quantity->value + 0.0, symbol(quantity->unit));  // -0 is 0
  return said + "=" + std::get<std::string>(value);
}

std::string of_facts(const CheckRun& run) {
  std::set<std::string, std::less<>> said;
  for (const auto& fact : run.measurements) {
    said.insert(saying(run, fact.metric, fact.labels, fact.value));
    if (const auto* value = std::get_if<Quantity>(&fact.value);
        value && fact.summary && value->value != fact.summary->median)
      return fmt::format("{} is {}, and the median of its samples {}", fact.metric, value->value, fact.summary->median);
  }
  for (const auto& delta : run.evidence)
    said.insert(saying(run, delta.metric, delta.labels, Quantity{delta.after - delta.before}));
  for (const auto& verdict : run.verdicts)
    if (verdict.value && !said.contains(saying(run, verdict.metric, verdict.labels, *verdict.value)))
      return fmt::format("a verdict of check {} is about {} of {}, and no fact of it says so", run.check,
                         verdict.metric, to_text(*verdict.value));
  return {};
}

}  // namespace

std::string contradiction_without_facts(const Report& report) {
  if (auto found = of_hosts(report); !found.empty()) return found;
  for (const auto& run : report.checks)
    if (auto found = of_statuses(run); !found.empty()) return found;
  for (const auto& name : report.selection.only)
    if (std::ranges::find(report.checks, name, &CheckRun::check) == report.checks.end())
      return fmt::format("check {} was asked for, and is not there", name);
  const auto given = status_of_checks(report);
  const bool is_unfinished = report.status == Status::unknown && std::ranges::any_of(report.checks, is_open);
  if (report.status == given || is_unfinished) return {};
  return fmt::format("the report is {}, and its checks are {}", to_text(report.status), to_text(given));
}

std::string contradiction(const Report& report) {
  if (auto found = contradiction_without_facts(report); !found.empty()) return found;
  for (const auto& run : report.checks)
    if (auto found = of_facts(run); !found.empty()) return found;
  return {};
}

void expect_no_contradiction(const Report& report) {
  if (const auto found = contradiction(report); !found.empty()) throw Error("it contradicts itself: " + found);
}

}  // namespace muster::results
