// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/compare/paired_reports.hpp"
#include "healthcheck/compare/rate_noise.hpp"

namespace muster::healthcheck::compare {
namespace {

using results::CheckRun;
using results::Labels;
using results::Measurement;
using results::Quantity;
using results::Report;

constexpr std::string_view of_hosts = "inventory.host.";  // what the fingerprints of hosts hold

struct Facts {
  std::vector<const Measurement*> measurements;
  std::vector<Place> places;
};

Facts facts_of(const PairedReports& reports, bool is_b) {
  Facts facts;
  const Report& report = is_b ? reports.b : reports.a;
  const auto& told = is_b ? reports.is_told_b : reports.is_told_a;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    const CheckRun& run = report.checks[i];
    if (run.attempt > 1 || run.outcome != results::Outcome::finished || told[i]) continue;
    for (const Measurement& measurement : run.measurements) {
      if (measurement.metric.starts_with(of_hosts)) continue;
      facts.measurements.push_back(&measurement);
      facts.places.push_back(is_b ? reports.place_in_b(run, measurement.metric, measurement.labels)
                                  : reports.place_in_a(run, measurement.metric, measurement.labels));
    }
  }
  return facts;
}

std::optional<Better> better_of(const Measurement& measurement) {
  const auto* quantity = std::get_if<Quantity>(&measurement.value);
  return quantity == nullptr ? std::nullopt : known_metrics().better(measurement.metric, quantity->unit);
}

// Whether samples tell how it is.
bool is_rate(const Measurement& measurement) { return measurement.summary && better_of(measurement); }

Change change_of(Kind kind, Subject subject, const Place& place, const Measurement* a, const Measurement* b) {
  Change change{.kind = kind, .subject = subject, .check = place.check, .metric = place.metric, .labels = place.labels};
  if (a != nullptr) change.before = a->value;
  if (b != nullptr) change.after = b->value;
  return change;
}

// Both have it, and no samples tell of it in both.
Change plain_change(const Place& place, const Measurement& a, const Measurement& b, bool is_same_machine) {
  const bool is_sampled = is_rate(a) || is_rate(b);
  Kind kind = Kind::same;
  if (a.value != b.value) kind = !is_sampled && is_lasting(a.metric, is_same_machine) ? Kind::changed : Kind::undecided;
  auto change = change_of(kind, is_sampled ? Subject::rate : Subject::fact, place, &a, &b);
  if (is_sampled) change.reason = "too few samples in one of them";
  return change;
}

class Rates {
 public:
  void add(const Place& place, const Measurement& a, const Measurement& b) {
    pairs_.push_back({.kind = place.metric, .better = *better_of(a), .a = *a.summary, .b = *b.summary});
    changes_.push_back(change_of(Kind::noise, Subject::rate, place, &a, &b));
  }

  std::vector<Change> decided(std::size_t& sensitive) && {
    const auto said = changes_of(pairs_);
    for (std::size_t i = 0; i < said.size(); ++i) {
      changes_[i].difference = said[i].difference;
      changes_[i].noise = said[i].noise;
      const bool is_better = (pairs_[i].better == Better::higher) == (said[i].difference > 0);
      if (said[i].is_named) changes_[i].kind = is_better ? Kind::better : Kind::worse;
      sensitive += said[i].is_sensitive ? 1 : 0;
    }
    return std::move(changes_);
  }

 private:
  std::vector<RatePair> pairs_;
  std::vector<Change> changes_;
};

// A part of a machine, which has a GPU's number and its address in some facts and only one of them in others.
Labels part_of(const Labels& labels) {
  auto part = component_of(labels);
  std::erase_if(part, [](const auto& label) { return label.first == "cpus" || label.first.starts_with("partner"); });
  return part;
}

struct Part {
  std::set<std::string> checks;
  std::size_t facts = 0;
};

// Parts that only one report has.
class Parts {
 public:
  void add(const Labels& part, const std::string& check) {
    parts_[part].checks.insert(check);
    ++parts_[part].facts;
  }

  std::vector<Change> told(Kind kind) && {
    fold();
    std::vector<Change> changes;
    for (const auto& [labels, part] : parts_)
      changes.push_back({.kind = kind,
                         .subject = Subject::component,
                         .check = part.checks.size() == 1 ? *part.checks.begin() : "",
                         .labels = labels,
                         .reason = fmt::format("{} {} of {}", part.facts, part.facts == 1 ? "fact" : "facts",
                                               fmt::join(part.checks, ", "))});
    return changes;
  }

 private:
  // One whose labels another one has, too, is the same part; of an adapter with several ports that without a port.
  void fold() {
    for (auto at = parts_.begin(); at != parts_.end();) {
      std::vector<std::map<Labels, Part>::iterator> wider;
      for (auto other = parts_.begin(); other != parts_.end(); ++other)
        if (other != at && holds_all(other->first, at->first)) wider.push_back(other);
      const auto into = [](Part& whole, const Part& part) {
        whole.checks.insert(part.checks.begin(), part.checks.end());
        whole.facts += part.facts;
      };
      if (wider.size() == 1) {
        into(wider.front()->second, at->second);
        at = parts_.erase(at);
        continue;
      }
      for (const auto& other : wider) {
        into(at->second, other->second);
        parts_.erase(other);
      }
      ++at;
    }
  }

  std::map<Labels, Part> parts_;
};

bool is_in(const Labels& part, const std::set<Labels>& known) {
  return std::ranges::any_of(known, [&](const Labels& each) { return holds_all(each, part); });
}

// What only one report has: gone with its component, or alone; what is neither lasting nor a rate tells nothing.
void add_lone(const Place& place, const Measurement& fact, bool is_b, bool is_same_machine,
              const std::set<Labels>& known, Parts& parts, std::vector<Change>& changes) {
  const bool tells = is_rate(fact) || is_lasting(fact.metric, is_same_machine);
  const auto part = part_of(place.labels);
  if (tells && !part.empty() && !is_in(part, known)) return parts.add(part, place.check);
  const Kind lone = is_b ? Kind::fresh : Kind::gone;
  const Kind kind = is_rate(fact) ? lone : tells ? Kind::changed : Kind::undecided;
  changes.push_back(change_of(kind, is_rate(fact) ? Subject::rate : Subject::fact, place, is_b ? nullptr : &fact,
                              is_b ? &fact : nullptr));
}

}  // namespace

std::vector<Change> fact_changes(const PairedReports& reports, std::size_t& sensitive) {
  const bool is_same = reports.names.is_same_machine();
  const auto a = facts_of(reports, false), b = facts_of(reports, true);
  const auto all = matches(a.places, b.places);
  std::set<Labels> known;
  Rates rates;
  std::vector<Change> changes;
  for (const auto& match : all) {
    if (!match.a || !match.b) continue;
    const Measurement& of_a = *a.measurements[*match.a];
    const Measurement& of_b = *b.measurements[*match.b];
    const Place& place = a.places[*match.a];
    known.insert(part_of(place.labels));
    known.insert(part_of(b.places[*match.b].labels));
    if (is_rate(of_a) && is_rate(of_b) && is_comparable(*of_a.summary, *of_b.summary))
      rates.add(place, of_a, of_b);
    else
      changes.push_back(plain_change(place, of_a, of_b, is_same));
  }
  Parts gone, fresh;
  for (const auto& match : all) {
    if (match.a && !match.b)
      add_lone(a.places[*match.a], *a.measurements[*match.a], false, is_same, known, gone, changes);
    if (match.b && !match.a)
      add_lone(b.places[*match.b], *b.measurements[*match.b], true, is_same, known, fresh, changes);
  }
  for (auto more :
       {std::move(gone).told(Kind::gone), std::move(fresh).told(Kind::fresh), std::move(rates).decided(sensitive)})
    std::ranges::move(more, std::back_inserter(changes));
  return changes;
}

}  // namespace muster::healthcheck::compare
