// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/calibrate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "healthcheck/catalogue/metric.hpp"
#include "healthcheck/judge/bound.hpp"
#include "healthcheck/judge/calibrate_origin.hpp"
#include "healthcheck/judge/fact.hpp"
#include "healthcheck/judge/peers.hpp"
#include "healthcheck/program/error.hpp"
#include "results/strings/suggest.hpp"

namespace muster::healthcheck {
namespace {

using results::Report;
using results::Unit;

// Facts that one expectation can be about: the same metric of all components.
struct Subject {
  std::string check;
  std::string metric;
  results::Labels labels;
  Unit unit = Unit::one;

  auto operator<=>(const Subject&) const = default;
};

// What healthy runs measured of it.
struct Observed {
  Better better = Better::higher;
  std::vector<double> medians;
  std::map<results::Labels, std::vector<double>> of_component;
  double spread = 0;                                     // the widest within one measurement
  double uncertainty = 0;                                // of a median, as a share of it
  std::string of;                                        // what tells of that uncertainty
  std::size_t min_count = static_cast<std::size_t>(-1);  // of facts in one report that its expectation is about
  std::string too_few;                                   // samples, where that is so
};

using Observations = std::map<Subject, Observed>;

// The pass threshold lies so many times as far from the worst median as healthy medians may, and the fail threshold
// twice that.
constexpr double safety = 3;
constexpr double max_margin = 0.2;
// At the least; a machine that is slower by a quarter is beyond both.
constexpr double min_pass_margin = 0.08;
constexpr double min_fail_margin = 0.2;

// What was sampled, or a percentile of all times. What is computed from samples would be a second threshold for one
// fact.
bool has_thresholds(const results::Measurement& measurement) {
  if (measurement.stopping) return true;
  const auto percentile = measurement.labels.find("percentile");
  return percentile != measurement.labels.end() && (percentile->second == "p50" || percentile->second == "p99");
}

void note_uncertainty(double share, const std::string& of, Observed& observed) {
  if (share <= observed.uncertainty) return;
  observed.uncertainty = share;
  observed.of = of;
}

// Throws UsageError when the number cannot be.
void note(const results::Measurement& measurement, const std::string& where, Observed& observed) {
  if (const auto assessment = impossible(measurement))
    throw UsageError(
        fmt::format("{} has a {} that is {}; find out why first", where, measurement.metric, assessment->reason));
  if (!measurement.summary) return;
  observed.spread = std::max(observed.spread, measurement.summary->spread);
  if (const auto& interval = measurement.summary->median_interval)
    note_uncertainty((interval->high - interval->low) / 2 / measurement.summary->median,
                     "the median is uncertain in " + where, observed);
  else
    observed.too_few = fmt::format("{} samples in {}", measurement.summary->n, where);
}

bool is_observed(const results::CheckRun& run) { return run.outcome == results::Outcome::finished && run.attempt <= 1; }

// Facts that an expectation about it is about, of the host that has the fewest: of parts, also the whole, which has
// their labels and more. 0 where the report has none.
std::size_t count_of(const Subject& subject, const Report& report) {
  Expectation about;
  about.check = subject.check;
  about.metric = subject.metric;
  about.labels = subject.labels;
  std::map<std::string, std::size_t> by_host;
  for (const Fact& fact : facts_for(about, report))
    if (is_observed(report.checks[fact.run])) ++by_host[host_of(fact)];
  return by_host.empty() ? 0 : std::ranges::min(by_host | std::views::values);
}

void observe(const Report& report, Observations& all) {
  for (const auto& run : report.checks) {
    if (!is_observed(run)) continue;
    for (const auto& measurement : run.measurements) {
      const auto* value = std::get_if<results::Quantity>(&measurement.value);
      if (value == nullptr || value->value <= 0 || !has_thresholds(measurement)) continue;
      const auto better = known_metrics().better(measurement.metric, value->unit);
      if (!better) continue;
      auto labels = with_component(measurement.labels, run);
      for (const auto* incidental : {"scratch", "path", "device"}) labels.erase(incidental);
      const auto kind = kind_of(labels);
      auto component = labels;
      std::erase_if(component, [&](const auto& label) { return kind.contains(label.first); });
      const auto where = fmt::format("run {} ({})", report.run_id, results::to_text(component));
      Observed& observed = all[{run.check, measurement.metric, kind, value->unit}];
      observed.better = *better;
      observed.medians.push_back(value->value);
      observed.of_component[std::move(labels)].push_back(value->value);
      note(measurement, where, observed);
    }
  }
}

// Few runs may agree by luck. How far others of its kind differ, such as the other sizes of a job, tells how much luck:
// nothing is taken for surer than three quarters of its kind.
Observations with_shared_uncertainty(Observations all) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<double>> of_kind;
  const auto kind_of_subject = [](const Subject& subject) {
    const auto percentile = subject.labels.find("percentile");
    return std::tuple(subject.check, subject.metric, percentile == subject.labels.end() ? "" : percentile->second);
  };
  for (const auto& [subject, observed] : all) of_kind[kind_of_subject(subject)].push_back(observed.uncertainty);
  for (auto& [kind, uncertainties] : of_kind) std::ranges::sort(uncertainties);
  for (auto& [subject, observed] : all) {
    const auto& uncertainties = of_kind[kind_of_subject(subject)];
    note_uncertainty(uncertainties[3 * (uncertainties.size() - 1) / 4], "others of its kind differ", observed);
  }
  return all;
}

Observations observe_all(std::span<const Report> reports) {
  Observations all;
  for (const Report& report : reports) observe(report, all);
  for (auto& [subject, observed] : all) {
    for (const auto& [component, medians] : observed.of_component) {
      const auto [lowest, highest] = std::ranges::minmax(medians);
      note_uncertainty((highest - lowest) / (highest + lowest), "these runs differ", observed);
    }
    for (const Report& report : reports)
      if (const auto count = count_of(subject, report); count > 0)
        observed.min_count = std::min(observed.min_count, count);
  }
  return all;
}

// The healthy spread within measurements and between them.
double noise_of(const Observed& observed) {
  return std::max(observed.spread, results::summarize({.unit = Unit::one, .values = observed.medians}).spread);
}

struct ThresholdShares {
  double pass = 1;
  double fail = 1;
};

ThresholdShares shares_for(const Observed& observed, const Calibration& calibration) {
  const double margin = safety * observed.uncertainty;
  return {.pass = calibration.pass.value_or(1 - std::max(min_pass_margin, margin)),
          .fail = calibration.fail.value_or(1 - std::max(min_fail_margin, 2 * margin))};
}

// Why no thresholds can be set; empty where they can.
std::string why_left_out(const Observed& observed, const Calibration& calibration) {
  if (!observed.too_few.empty()) return "only " + observed.too_few;
  const double most = calibration.pass ? 1 - *calibration.pass : max_margin / safety;
  return observed.uncertainty <= most ? ""
                                      : fmt::format("{} by {}", observed.of, results::percent(observed.uncertainty));
}

Bound bound_for(const Subject& subject, const Observed& observed, const ThresholdShares& shares) {
  const auto [lowest, highest] = std::ranges::minmax(observed.medians);
  const bool is_least_best = observed.better == Better::lower;
  Bound bound;
  bound.kind = is_least_best ? BoundKind::at_most : BoundKind::at_least;
  bound.unit = subject.unit;
  bound.pass = is_least_best ? highest / shares.pass : lowest * shares.pass;
  bound.fail = is_least_best ? highest / shares.fail : lowest * shares.fail;
  return bound;
}

void check(const Calibration& calibration) {
  if (calibration.name.empty()) throw UsageError("--name is empty; give the profile a name");
  if (calibration.pass.has_value() != calibration.fail.has_value())
    throw UsageError("give both --pass and --fail, or neither");
  if (!calibration.pass) return;
  const bool are_shares = *calibration.fail > 0 && *calibration.fail <= *calibration.pass && *calibration.pass <= 1;
  if (!are_shares)
    throw UsageError(
        fmt::format("the thresholds pass {} and fail {} are not shares of the healthy value with fail below pass",
                    *calibration.pass, *calibration.fail));
}

// " (host_memory: in use: fio)", of the first check that could not measure; empty where there is none.
std::string first_hindrance(std::span<const Report> reports) {
  for (const Report& report : reports)
    for (const results::CheckRun& run : report.checks)
      if (!results::ended_well(run) && !run.reason.empty()) return fmt::format(" ({}: {})", run.check, run.reason);
  return "";
}

// Throws UsageError for a metric that none of the runs measured.
void check_without(const Calibration& calibration, const Observations& all) {
  std::vector<std::string> known;
  for (const auto& [subject, observed] : all) known.push_back(subject.metric);
  for (const auto& metric : calibration.without)
    if (std::ranges::find(known, metric) == known.end())
      throw UsageError(fmt::format("--without: these runs hold no {} that could get thresholds.{}", metric,
                                   results::suggestion(metric, known)));
}

Expectation expectation_for(const Subject& subject, const Observed& observed, const Origin& origin,
                            const Calibration& calibration) {
  Expectation expectation;
  expectation.check = subject.check;
  expectation.metric = subject.metric;
  expectation.labels = subject.labels;
  expectation.bound = bound_for(subject, observed, shares_for(observed, calibration));
  expectation.tier = origin.tier;
  expectation.optional = is_of_receiver(subject.metric);  // jobs of two hosts have none
  if (const double noise = noise_of(observed); noise > 0 && noise < 1) expectation.noise = noise;
  if (observed.min_count > 1) expectation.count = observed.min_count;
  expectation.fault = calibrated_fault;
  const auto [lowest, highest] = std::ranges::minmax(observed.medians);
  expectation.source =
      fmt::format("muster calibrate: {} medians from {} to {} in runs {}", observed.medians.size(),
                  results::to_text({lowest, subject.unit}), results::to_text({highest, subject.unit}), origin.runs);
  expectation.date = origin.date;
  return expectation;
}

// What these observations allow.
Calibrated made_of(const Observations& all, const Origin& origin, const Calibration& calibration) {
  Calibrated made;
  for (const auto& [subject, observed] : all) {
    if (std::ranges::find(calibration.without, subject.metric) != calibration.without.end()) continue;
    const auto reason = why_left_out(observed, calibration);
    const auto labels = results::to_text(subject.labels);
    if (reason.empty())
      made.profile.expectations.push_back(expectation_for(subject, observed, origin, calibration));
    else
      made.left_out.push_back(fmt::format("{}{}: {}", subject.metric, labels.empty() ? "" : " of " + labels, reason));
  }
  return made;
}

}  // namespace

Calibrated calibrate(std::span<const Report> reports, const Calibration& calibration) {
  check(calibration);
  const Origin origin = origin_of(reports, calibration);
  const auto all = observe_all(reports);
  check_without(calibration, all);
  auto made = made_of(with_shared_uncertainty(all), origin, calibration);
  if (made.profile.expectations.empty()) made = made_of(all, origin, calibration);  // each is as sure as it seems
  made.profile.name = calibration.name;
  made.profile.description = fmt::format("Calibrated from {} healthy runs", reports.size());
  if (!made.profile.expectations.empty()) return made;
  if (!made.left_out.empty())
    throw UsageError(
        fmt::format("nothing in these reports is certain enough for thresholds ({}); measure again while "
                    "nothing else runs, or with --tier full",
                    made.left_out.front()));
  const auto hindrance = first_hindrance(reports);
  throw UsageError(fmt::format(
      "these reports hold no rate and no time to calibrate from{}; {}", hindrance,
      hindrance.empty() ? "run an active check first" : "measure again without that, or with --even-if-in-use"));
}

}  // namespace muster::healthcheck
