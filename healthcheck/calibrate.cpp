// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/calibrate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "healthcheck/bound.hpp"
#include "healthcheck/error.hpp"
#include "healthcheck/fact.hpp"
#include "healthcheck/pair_facts.hpp"
#include "healthcheck/peers.hpp"

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
  std::vector<double> medians;
  double spread = 0;                                       // the widest within one measurement
  std::size_t least_count = static_cast<std::size_t>(-1);  // of facts in one report that its expectation is about
};

using Observations = std::map<Subject, Observed>;

bool is_rate(Unit unit) { return unit == Unit::byte_per_second || unit == Unit::bit_per_second; }

// Throws UsageError when the number cannot be, or the median may as well lie beyond the pass edge that would be set
// from it.
void check_certain(const results::Measurement& measurement, Unit unit, double pass, const std::string& where) {
  if (const auto finding = impossible(measurement))
    throw UsageError(
        fmt::format("{} has a {} that is {}; find out why first", where, measurement.metric, finding->reason));
  if (!measurement.summary) return;
  if (!measurement.summary->median_interval)
    throw UsageError(fmt::format("{} has {} samples of {}, too few for edges; measure again with --tier full", where,
                                 measurement.summary->n, measurement.metric));
  const double median = measurement.summary->median;
  const auto [low, high] = *measurement.summary->median_interval;
  if (is_rate(unit) ? low >= median * pass : high <= median / pass) return;
  throw UsageError(
      fmt::format("{} knows {} only to lie between {} and {}, too wide for edges; measure again while nothing else "
                  "runs, or with --tier full",
                  where, measurement.metric, results::to_text({low, unit}), results::to_text({high, unit})));
}

bool is_observed(const results::CheckRun& run) { return run.outcome == results::Outcome::finished && run.attempt <= 1; }

// Facts that an expectation about it is about, of the host that has the fewest: of parts, also the whole, which has
// their labels and more.
std::size_t count_of(const Subject& subject, const Report& report) {
  Expectation about;
  about.check = subject.check;
  about.metric = subject.metric;
  about.labels = subject.labels;
  std::map<std::string, std::size_t> by_host;
  for (const Fact& fact : facts_for(about, report))
    if (is_observed(report.checks[fact.run])) ++by_host[host_of(fact)];
  return std::ranges::min(by_host | std::views::values);
}

Observations observe(const Report& report, double pass) {
  Observations seen;
  for (const auto& run : report.checks) {
    if (!is_observed(run)) continue;
    for (const auto& measurement : run.measurements) {
      const auto* value = std::get_if<results::Quantity>(&measurement.value);
      if (value == nullptr || value->value <= 0) continue;
      if (!is_rate(value->unit) && value->unit != Unit::second) continue;
      if (!measurement.stopping) continue;  // computed from what was sampled: a second edge for the same fact
      const auto labels = placed(measurement.labels, run);
      check_certain(measurement, value->unit, pass,
                    fmt::format("run {} ({})", report.run_id, results::to_text(labels)));
      auto kind = kind_of(labels);
      kind.erase("scratch");  // that the profile of this run names it so
      Observed& observed = seen[{run.check, measurement.metric, std::move(kind), value->unit}];
      observed.medians.push_back(value->value);
      if (measurement.summary) observed.spread = std::max(observed.spread, measurement.summary->spread);
    }
  }
  return seen;
}

Observations observe_all(std::span<const Report> reports, double pass) {
  Observations all;
  for (const Report& report : reports) {
    for (const auto& [subject, seen] : observe(report, pass)) {
      Observed& observed = all[subject];
      observed.medians.insert(observed.medians.end(), seen.medians.begin(), seen.medians.end());
      observed.spread = std::max(observed.spread, seen.spread);
      observed.least_count = std::min(observed.least_count, count_of(subject, report));
    }
  }
  return all;
}

// The healthy spread within measurements and between them.
double noise_of(const Observed& observed) {
  return std::max(observed.spread, results::summarize({.unit = Unit::one, .values = observed.medians}).spread);
}

Bound bound_for(const Subject& subject, const Observed& observed, const Calibration& calibration) {
  const auto [lowest, highest] = std::ranges::minmax(observed.medians);
  const bool is_duration = subject.unit == Unit::second;
  Bound bound;
  bound.kind = is_duration ? BoundKind::at_most : BoundKind::at_least;
  bound.unit = subject.unit;
  bound.pass = is_duration ? highest / calibration.pass : lowest * calibration.pass;
  bound.fail = is_duration ? highest / calibration.fail : lowest * calibration.fail;
  return bound;
}

// Of reports of one kind of machine.
struct Origin {
  std::string runs;
  std::string date;
  results::Tier tier = results::Tier::full;
};

// "Xeon, NVIDIA H100": what must be alike for edges to carry over.
std::string machine_of(const Report& report) {
  std::vector<std::string> models;
  for (const results::Host& host : report.hosts)
    for (const std::string_view name : {"cpu_model", "gpu_model"})
      if (const auto at = host.fingerprint.find(name);
          at != host.fingerprint.end() && std::ranges::find(models, at->second) == models.end())
        models.push_back(at->second);
  return fmt::format("{}", fmt::join(models, ", "));
}

Origin origin_of(std::span<const Report> reports) {
  if (reports.empty()) throw UsageError("there is no report to calibrate from; name at least one");
  Origin origin;
  std::vector<std::string> ids;
  for (const Report& report : reports) {
    if (report.status == results::Status::fail)
      throw UsageError(
          fmt::format("run {} failed ({}); calibrate from healthy runs only", report.run_id, report.summary));
    if (machine_of(report) != machine_of(reports.front()))
      throw UsageError(
          fmt::format("run {} is of another kind of machine ('{}') than run {} ('{}'); calibrate each alone",
                      report.run_id, machine_of(report), reports.front().run_id, machine_of(reports.front())));
    ids.push_back(report.run_id);
    origin.date = std::max(origin.date, report.started.substr(0, 10));
    origin.tier = std::min(origin.tier, report.selection.tier);
  }
  origin.runs = fmt::format("{}", fmt::join(ids, ", "));
  return origin;
}

void check_edges(const Calibration& calibration) {
  const bool in_order = calibration.fail > 0 && calibration.fail <= calibration.pass && calibration.pass <= 1;
  if (!in_order)
    throw UsageError(
        fmt::format("the edges pass {} and fail {} are not shares of the healthy value with fail below pass",
                    calibration.pass, calibration.fail));
}

Expectation expectation_for(const Subject& subject, const Observed& observed, const Origin& origin,
                            const Calibration& calibration) {
  Expectation expectation;
  expectation.check = subject.check;
  expectation.metric = subject.metric;
  expectation.labels = subject.labels;
  expectation.bound = bound_for(subject, observed, calibration);
  expectation.tier = origin.tier;
  expectation.optional = is_of_taker(subject.metric);  // jobs of two hosts have none
  if (const double noise = noise_of(observed); noise > 0 && noise < 1) expectation.noise = noise;
  if (observed.least_count > 1) expectation.count = observed.least_count;
  expectation.fault = "slower_than_calibrated";
  const auto [lowest, highest] = std::ranges::minmax(observed.medians);
  expectation.source =
      fmt::format("muster calibrate: {} medians from {} to {} in runs {}", observed.medians.size(),
                  results::to_text({lowest, subject.unit}), results::to_text({highest, subject.unit}), origin.runs);
  expectation.date = origin.date;
  return expectation;
}

}  // namespace

Profile calibrate(std::span<const Report> reports, const Calibration& calibration) {
  check_edges(calibration);
  const Origin origin = origin_of(reports);
  Profile profile;
  profile.name = calibration.name;
  profile.description = fmt::format("Calibrated from {} healthy runs", reports.size());
  for (const auto& [subject, observed] : observe_all(reports, calibration.pass))
    profile.expectations.push_back(expectation_for(subject, observed, origin, calibration));
  if (profile.expectations.empty())
    throw UsageError("these reports hold no bandwidth and no duration to calibrate from; run an active check first");
  return profile;
}

}  // namespace muster::healthcheck
