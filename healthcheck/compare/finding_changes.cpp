// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "healthcheck/compare/paired_reports.hpp"

namespace muster::healthcheck::compare {
namespace {

using results::CheckRun;
using results::Report;
using results::Status;
using results::Verdict;

bool is_bad(Status status) { return status >= Status::warn; }

// Verdicts about one thing as the worst of them.
struct Findings {
  std::vector<Place> places;
  std::vector<const Verdict*> verdicts;
  std::vector<bool> is_told;  // by what became of the run: nothing was measured
};

Findings findings_of(const PairedReports& reports, bool is_b) {
  Findings findings;
  std::map<std::tuple<std::string, std::string, results::Labels>, std::size_t> known;
  const Report& report = is_b ? reports.b : reports.a;
  const auto& told = is_b ? reports.is_told_b : reports.is_told_a;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    const CheckRun& run = report.checks[i];
    for (const Verdict& verdict : run.verdicts) {
      auto place = is_b ? reports.place_in_b(run, verdict.metric, verdict.labels)
                        : reports.place_in_a(run, verdict.metric, verdict.labels);
      const auto [at, is_new] = known.try_emplace({place.check, place.metric, place.labels}, findings.places.size());
      if (is_new) {
        findings.places.push_back(std::move(place));
        findings.verdicts.push_back(&verdict);
        findings.is_told.push_back(told[i] && (!verdict.value || !is_b));
      } else if (verdict.status > findings.verdicts[at->second]->status) {
        findings.verdicts[at->second] = &verdict;
      }
    }
  }
  return findings;
}

std::optional<Status> status_of(const Verdict* verdict) {
  return verdict == nullptr || verdict->status == Status::skip ? std::nullopt : std::optional(verdict->status);
}

Kind kind_of(std::optional<Status> a, std::optional<Status> b) {
  if (b && is_bad(*b)) {
    if (a == b) return Kind::same;
    if (!a || *a < *b) return Kind::worse;
    return *b == Status::unknown ? Kind::changed : Kind::better;
  }
  return a && is_bad(*a) ? Kind::better : Kind::same;
}

// Whether its component is gone, so that nobody could find it.
bool is_gone(const Place& place, const std::vector<Change>& gone) {
  return std::ranges::any_of(gone, [&](const Change& change) {
    return change.kind == Kind::gone && change.subject == Subject::component && holds_all(place.labels, change.labels);
  });
}

bool has_looked(const Report& report, const std::string& check) {
  return std::ranges::any_of(report.checks, [&](const CheckRun& run) {
    return run.check == check && run.outcome == results::Outcome::finished;
  });
}

Change change_of(Kind kind, const Place& place, const Verdict* a, const Verdict* b) {
  const bool is_in_b = b != nullptr && is_bad(b->status);
  const Verdict& told = is_in_b ? *b : *a;
  Change change{.kind = kind,
                .subject = Subject::finding,
                .check = place.check,
                .metric = place.metric,
                .labels = place.labels,
                .fault = told.fault,
                .reason = is_in_b ? told.reason : "it was: " + told.reason};
  if (const auto status = status_of(a)) change.before = std::string(to_text(*status));
  if (const auto status = status_of(b)) change.after = std::string(to_text(*status));
  return change;
}

}  // namespace

std::vector<Change> finding_changes(const PairedReports& reports, const std::vector<Change>& gone) {
  const auto a = findings_of(reports, false), b = findings_of(reports, true);
  std::vector<Change> changes;
  for (const auto& match : matches(a.places, b.places)) {
    const Verdict* of_a = match.a ? a.verdicts[*match.a] : nullptr;
    const Verdict* of_b = match.b ? b.verdicts[*match.b] : nullptr;
    const Place& place = match.a ? a.places[*match.a] : b.places[*match.b];
    const Kind kind = kind_of(status_of(of_a), status_of(of_b));
    if (kind == Kind::same && (of_b == nullptr || !is_bad(of_b->status))) continue;
    if (match.b && b.is_told[*match.b]) continue;
    if (match.a && a.is_told[*match.a] && !of_a->value) continue;
    const bool is_lost = kind == Kind::better && !status_of(of_b);
    if (is_lost && (a.is_told[*match.a] || is_gone(place, gone) || !has_looked(reports.b, place.check))) continue;
    changes.push_back(change_of(kind, place, of_a, of_b));
  }
  return changes;
}

}  // namespace muster::healthcheck::compare
