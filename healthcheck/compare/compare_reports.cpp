// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/compare/compare_reports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "healthcheck/compare/paired_reports.hpp"

namespace muster::healthcheck::compare {
namespace {

using results::Report;

Side side_of(const Report& report) {
  Side side{.run_id = report.run_id,
            .started = report.started,
            .version = report.version,
            .summary = report.summary,
            .status = report.status};
  for (const auto& host : report.hosts) side.hosts.push_back(host.name);
  return side;
}

std::string words(const std::vector<std::string>& list) {
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, " "));
}

// What makes the two less alike than they should be.
std::vector<std::string> differences_of(const Report& a, const Report& b) {
  std::vector<std::string> found;
  const auto add = [&](std::string_view what, std::string_view one, std::string_view other) {
    if (one != other) found.push_back(fmt::format("{} ({}, {})", what, one, other));
  };
  add("profile", a.profile.name, b.profile.name);
  if (a.profile.name == b.profile.name && a.profile.sha256 != b.profile.sha256)
    found.push_back(fmt::format("the text of profile {}", a.profile.name));
  add("tier", to_text(a.selection.tier), to_text(b.selection.tier));
  add("chosen checks", words(a.selection.only), words(b.selection.only));
  add("skipped checks", words(a.selection.skip), words(b.selection.skip));
  add("version of muster", a.version, b.version);
  return found;
}

}  // namespace

Comparison comparison_of(const Report& a, const Report& b) {
  PairedReports reports(a, b);
  Comparison comparison{.a = side_of(a), .b = side_of(b), .differences = differences_of(a, b)};
  auto& changes = comparison.changes;
  const auto add = [&](std::vector<Change> more) { std::ranges::move(more, std::back_inserter(changes)); };
  add(run_changes(reports));
  add(fact_changes(reports, comparison.sensitive));
  add(finding_changes(reports, changes));
  add(setting_changes(reports));
  add(counter_changes(reports));
  sort(changes);
  return comparison;
}

}  // namespace muster::healthcheck::compare
