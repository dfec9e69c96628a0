// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "results/render/catalogue.hpp"
#include "results/render/exposition.hpp"
#include "results/render/judged.hpp"
#include "results/render/numbers.hpp"
#include "results/render/text.hpp"
#include "results/values/problems.hpp"

// What a time series should be, of one report, for Prometheus: by the textfile collector of node_exporter, or a
// Pushgateway.
namespace muster::results {
namespace {

constexpr std::size_t max_series = 1000;  // of a report, and so of a node; results/FORMATS.md says so

// Labels that change with a part that is replaced, or with what happened: each value of them would be a new series.
constexpr std::array<std::string_view, 12> labels_that_change = {"address", "board_id", "first_index", "gpu_uuid",
                                                                 "guid",    "line",     "model",       "partner_guid",
                                                                 "process", "serial",   "server",      "wording"};

// Which of several reports of one host this is: a series of each must have other labels than those of the others.
std::string run_of(const Report& report) {
  const auto& only = report.selection.only;
  const bool is_job = std::ranges::any_of(report.checks, [](const CheckRun& run) { return !run.hosts.empty(); });
  if (only.empty()) return is_job ? "job" : "node";
  return fmt::format("{} {}", is_job ? "job" : "node", fmt::join(only, ","));
}

// A number that a check measured, and how bad it is: first what is to be told of.
struct Fact {
  const CheckRun* run;
  const Measurement* measurement;
  Status status = Status::skip;  // of a number that nobody judged
};

std::vector<Fact> facts_of(const Report& report) {
  std::vector<Fact> facts;
  for (const CheckRun& run : report.checks) {
    const Judged judged(run);
    for (const Measurement& each : run.measurements) {
      const auto* verdict = judged.verdict_of(each);
      if (std::holds_alternative<Quantity>(each.value) && (verdict != nullptr || is_headline(each)))
        facts.push_back({&run, &each, verdict == nullptr ? Status::skip : verdict->status});
    }
  }
  std::ranges::stable_sort(facts, std::greater{}, &Fact::status);
  return facts;
}

class Series {
 public:
  explicit Series(const Report& report, const Catalogue* catalogue)
      : catalogue_(catalogue), out_(max_series - 1) {  // and what was left out
    own_ = {{"run", run_of(report)}, {"tier", std::string(to_text(report.selection.tier))}};
    host_ = report.hosts.empty() ? "" : report.hosts.front().name;
    add_report(report);
    add_checks(report);
    add_problems(report);
    for (const Fact& fact : facts_of(report)) add(fact);
    const auto left_out = out_.left_out();
    out_.allow_one_more();
    out_.add("report.series_left_out", count(left_out), "Series for which the report had no room", labels({}));
  }

  std::string text() const { return out_.text(); }

 private:
  Labels labels(Labels more) const {
    more.insert(own_.begin(), own_.end());
    more.emplace("host", host_);
    return more;
  }

  void add_report(const Report& report) {
    out_.add("report.status", as_number(report.status), fmt::format("The verdict: {}", statuses_as_numbers),
             labels({}));
    if (const auto time = time_from(report.started))
      out_.add("report.time",
               {static_cast<double>(time->time_since_epoch().count()) + report.duration_seconds, Unit::second},
               "When the run ended, since 1970", labels({}));
    out_.add("report.duration", {report.duration_seconds, Unit::second}, "How long the run took", labels({}));
    out_.add("report.info", count(std::size_t{1}), "By what the machine was judged: always 1",
             labels({{"version", report.version}, {"profile", report.profile.name}}));
    std::map<Status, std::size_t> verdicts{
        {Status::skip, 0}, {Status::pass, 0}, {Status::warn, 0}, {Status::unknown, 0}, {Status::fail, 0}};
    for (const CheckRun& run : report.checks)
      for (const Verdict& verdict : run.verdicts) ++verdicts[verdict.status];
    for (const auto& [status, each] : verdicts)
      out_.add("report.verdicts", count(each), "Expectations, by what became of them",
               labels({{"status", std::string(to_text(status))}}));
  }

  void add_checks(const Report& report) {
    std::map<std::string, std::pair<Status, double>> checks;
    for (const CheckRun& run : report.checks) {
      auto& [status, seconds] = checks.emplace(run.check, std::pair{Status::skip, 0.0}).first->second;
      status = std::max(status, run.status);
      seconds += run.duration_seconds;
    }
    for (const auto& [check, said] : checks) {
      out_.add("check.status", as_number(said.first), fmt::format("The worst of a check: {}", statuses_as_numbers),
               labels({{"check", check}}));
      out_.add("check.duration", {said.second, Unit::second}, "How long the runs of a check took",
               labels({{"check", check}}));
    }
  }

  void add_problems(const Report& report) {
    std::map<std::tuple<std::string, std::string, Status>, std::size_t> counts;
    for (const Problem& problem : problems(report))
      counts[{problem.check, problem.verdict.fault, problem.verdict.status}] += count(problem);
    for (const auto& [key, things] : counts) {
      const auto& [check, fault, status] = key;
      out_.add("report.problems", count(things), "Expectations that were not met, by fault code",
               labels({{"check", check}, {"fault", fault}, {"status", std::string(to_text(status))}}));
    }
  }

  void add(const Fact& fact) {
    constexpr std::string_view unknown = "A metric of muster";
    auto own = fact.measurement->labels;
    own.insert(fact.run->component.begin(), fact.run->component.end());
    for (const std::string_view name : labels_that_change)
      if (const auto at = own.find(name); at != own.end()) own.erase(at);
    for (const auto* name : {"run", "tier"})
      if (auto mine = own.extract(name); !mine.empty()) own.emplace(std::string("label_") + name, mine.mapped());
    if (fact.run->attempt > 1) own.emplace("attempt", std::to_string(fact.run->attempt));
    if (!fact.run->host.empty()) own.emplace("host", fact.run->host);
    const auto meaning = meaning_of(catalogue_, fact.measurement->metric);
    out_.add(fact.measurement->metric, std::get<Quantity>(fact.measurement->value), meaning.empty() ? unknown : meaning,
             labels(std::move(own)));
  }

  const Catalogue* catalogue_;
  Exposition out_;
  Labels own_;
  std::string host_;
};

}  // namespace

std::string to_openmetrics(const Report& report, const View& view) { return Series(report, view.catalogue).text(); }

}  // namespace muster::results
