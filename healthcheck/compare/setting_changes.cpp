// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include "healthcheck/catalogue/counter_delta.hpp"
#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/compare/paired_reports.hpp"

namespace muster::healthcheck::compare {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

std::optional<results::Value> value_in(const Texts& texts, const std::string& name) {
  const auto at = texts.find(name);
  return at == texts.end() ? std::nullopt : std::optional<results::Value>(at->second);
}

// What differs, of the names that are asked for.
template <typename Asked>
void add(const Texts& a, const Texts& b, const Change& about, Asked is_asked, std::vector<Change>& changes) {
  std::set<std::string> names;
  for (const auto* texts : {&a, &b})
    for (const auto& [name, text] : *texts) names.insert(name);
  for (const auto& name : names) {
    Change change = about;
    change.metric += name;
    change.before = value_in(a, name);
    change.after = value_in(b, name);
    if (change.before != change.after && is_asked(change.metric)) changes.push_back(std::move(change));
  }
}

struct Counters {
  std::vector<Place> places;
  std::vector<double> grown;
};

Counters counters_of(const PairedReports& reports, bool is_b) {
  Counters counters;
  const auto& report = is_b ? reports.b : reports.a;
  for (const auto& run : report.checks) {
    if (run.attempt > 1 || run.outcome != results::Outcome::finished) continue;
    for (const auto& delta : run.evidence) {
      if (why_unknown(delta)) continue;
      counters.places.push_back(is_b ? reports.place_in_b(run, delta.metric, delta.labels)
                                     : reports.place_in_a(run, delta.metric, delta.labels));
      counters.grown.push_back(delta.after - delta.before);
    }
  }
  return counters;
}

}  // namespace

bool is_lasting(std::string_view metric, bool is_same_machine) {
  const Metric* known = known_metrics().find(metric);
  return known != nullptr && (known->is_lasting || (known->is_of_machine && is_same_machine));
}

std::vector<Change> setting_changes(const PairedReports& reports) {
  std::vector<Change> changes;
  const bool is_same = reports.names.is_same_machine();
  const auto lasts = [&](const std::string& name) { return is_lasting(name, is_same); };
  for (const auto& a : reports.a.hosts)
    for (const auto& b : reports.b.hosts) {
      const auto host = [&](const std::string& name) { return results::Labels{{"host", name}}; };
      const bool is_one = reports.a.hosts.size() == 1 && reports.b.hosts.size() == 1;
      if (!is_one && reports.names.in_b(host(b.name)) != host(a.name)) continue;
      const Change about{.kind = Kind::changed,
                         .subject = Subject::setting,
                         .host = is_one ? "" : a.name,
                         .metric = "inventory.host."};
      if (!a.fingerprint.empty() && !b.fingerprint.empty()) add(a.fingerprint, b.fingerprint, about, lasts, changes);
    }
  add(
      reports.a.environment, reports.b.environment, {.kind = Kind::changed, .subject = Subject::setting},
      [](const std::string&) { return true; }, changes);
  return changes;
}

std::vector<Change> counter_changes(const PairedReports& reports) {
  const auto a = counters_of(reports, false), b = counters_of(reports, true);
  std::vector<Change> changes;
  for (const auto& match : matches(a.places, b.places)) {
    if (!match.a || !match.b || a.grown[*match.a] == b.grown[*match.b]) continue;
    const Place& place = a.places[*match.a];
    changes.push_back({.kind = Kind::undecided,
                       .subject = Subject::counter,
                       .check = place.check,
                       .metric = place.metric,
                       .labels = place.labels,
                       .before = results::Quantity{a.grown[*match.a]},
                       .after = results::Quantity{b.grown[*match.b]},
                       .reason = "how much it grew while the check ran"});
  }
  return changes;
}

}  // namespace muster::healthcheck::compare
