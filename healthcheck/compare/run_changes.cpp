// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>

#include "healthcheck/compare/paired_reports.hpp"
#include "results/values/problems.hpp"

namespace muster::healthcheck::compare {
namespace {

using results::CheckRun;
using results::Outcome;
using results::Report;

bool has_measured(const CheckRun& run) { return run.outcome == Outcome::finished; }

bool ended_badly(const CheckRun& run) {
  constexpr std::array bad{Outcome::error, Outcome::crashed, Outcome::timed_out, Outcome::not_started,
                           Outcome::interrupted};
  return std::ranges::find(bad, run.outcome) != bad.end();
}

Kind kind_of(const CheckRun& a, const CheckRun& b) {
  if (has_measured(a) && has_measured(b)) return Kind::same;
  if (ended_badly(b)) return ended_badly(a) ? (a.outcome == b.outcome ? Kind::same : Kind::changed) : Kind::worse;
  if (has_measured(a)) return Kind::gone;
  if (has_measured(b)) return ended_badly(a) ? Kind::better : Kind::fresh;
  return ended_badly(a) ? Kind::changed : Kind::same;
}

Change change_of(Kind kind, const CheckRun* a, const CheckRun* b) {
  const CheckRun& run = a == nullptr ? *b : *a;
  Change change{.kind = kind, .subject = Subject::check, .check = run.check, .labels = run.component};
  if (!run.hosts.empty()) change.host = results::place(run);
  if (a != nullptr) change.before = results::ending(*a);
  if (b != nullptr) change.after = results::ending(*b);
  return change;
}

// The numbers of first looks and their places.
struct Runs {
  std::vector<std::size_t> numbers;
  std::vector<Place> places;
};

Runs runs_of(const PairedReports& reports, bool is_b) {
  Runs runs;
  const Report& report = is_b ? reports.b : reports.a;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    const auto& run = report.checks[i];
    if (run.attempt > 1) continue;
    runs.numbers.push_back(i);
    runs.places.push_back(is_b ? reports.place_in_b(run, "", {}) : reports.place_in_a(run, "", {}));
  }
  return runs;
}

// Of a check that runs once for each component, the run that says for all of them that nothing was measured.
const CheckRun* run_for_all(const Report& report, const std::string& check) {
  const auto at = std::ranges::find_if(report.checks, [&](const CheckRun& run) {
    return run.check == check && run.component.empty() && !has_measured(run);
  });
  return at == report.checks.end() ? nullptr : &*at;
}

bool has_check(const Report& report, const std::string& check) {
  return std::ranges::any_of(report.checks,
                             [&](const CheckRun& run) { return run.check == check && has_measured(run); });
}

}  // namespace

PairedReports::PairedReports(const Report& one, const Report& other)
    : a(one), b(other), names(one, other), is_told_a(one.checks.size()), is_told_b(other.checks.size()) {}

Place PairedReports::place_in_a(const CheckRun& run, const std::string& metric, const results::Labels& labels) const {
  auto all = labels;
  all.insert(run.component.begin(), run.component.end());
  all.emplace("host", run.host);
  return {run.check, metric, names.in_a(std::move(all))};
}

Place PairedReports::place_in_b(const CheckRun& run, const std::string& metric, const results::Labels& labels) const {
  auto place = place_in_a(run, metric, labels);
  place.labels = names.in_b(std::move(place.labels));
  return place;
}

std::vector<Change> run_changes(PairedReports& reports) {
  const auto runs_a = runs_of(reports, false), runs_b = runs_of(reports, true);
  std::vector<Change> changes;
  const auto note = [&](Kind kind, const CheckRun* a, const CheckRun* b) {
    if (kind != Kind::same) changes.push_back(change_of(kind, a, b));
    return kind != Kind::same;
  };
  for (const auto& match : matches(runs_a.places, runs_b.places)) {
    const CheckRun* a = match.a ? &reports.a.checks[runs_a.numbers[*match.a]] : nullptr;
    const CheckRun* b = match.b ? &reports.b.checks[runs_b.numbers[*match.b]] : nullptr;
    // One run for each component in A, and one for all of them in B, or the other way round.
    const bool is_a_alone = b == nullptr;
    if (a == nullptr && has_measured(*b)) a = run_for_all(reports.a, b->check);
    if (b == nullptr && has_measured(*a)) b = run_for_all(reports.b, a->check);
    bool is_told = false;
    if (a != nullptr && b != nullptr)
      is_told = note(kind_of(*a, *b), a, b);
    else if (b == nullptr && has_measured(*a) && !has_check(reports.b, a->check))
      is_told = note(Kind::gone, a, b);
    else if (a == nullptr && has_measured(*b) && !has_check(reports.a, b->check))
      is_told = note(Kind::fresh, a, b);
    else if (a == nullptr && ended_badly(*b))
      is_told = note(Kind::worse, a, b);
    if (is_told && match.a) reports.is_told_a[runs_a.numbers[*match.a]] = true;
    if (is_told && match.b && !is_a_alone) reports.is_told_b[runs_b.numbers[*match.b]] = true;
  }
  return changes;
}

}  // namespace muster::healthcheck::compare
