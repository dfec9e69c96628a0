// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "healthcheck/catalogue/unreadable.hpp"
#include "healthcheck/judge/fact.hpp"
#include "healthcheck/judge/unasked.hpp"
#include "results/values/problems.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using results::Report;
using results::Status;

constexpr std::string_view unselected = "not selected";
constexpr std::string_view not_there = "there was no such check to run";
constexpr std::string_view not_demanded = "not built, or not of this tier";

// A check that began and then skipped may give any reason.
bool added_by_judge(const CheckRun& run) {
  const bool never_began = run.outcome == Outcome::skipped && run.started.empty();
  return run.outcome == Outcome::not_built || (never_began && (run.reason == unselected || run.reason == not_demanded));
}

// Whether options limited the run to other facts.
bool excluded_by_options(const CheckRun& run, const Expectation& expectation) {
  return std::ranges::any_of(run.selected, [&](const auto& selected) {
    const auto wanted = expectation.labels.find(selected.first);
    return wanted != expectation.labels.end() && std::ranges::none_of(selected.second, [&](const std::string& value) {
             return satisfies(value, wanted->second);
           });
  });
}

// How many facts are wanted of these runs, of which options may have chosen some adapters or GPUs, maybe one twice.
// Where each component has a run of its own, all of them are wanted.
std::size_t wanted_count(const Report& report, const std::vector<std::size_t>& runs, std::size_t count) {
  for (const std::size_t run : runs) {
    if (!report.checks[run].component.empty()) continue;
    const auto& selected = report.checks[run].selected;
    for (const auto* label : {"nic", "gpu"})
      if (const auto chosen = selected.find(label); chosen != selected.end())
        count = std::min(count, std::set(chosen->second.begin(), chosen->second.end()).size());
  }
  return count;
}

// The first that the run says to be damaged; null where there is none.
const results::Measurement* unreadable_file_of(const CheckRun& run) {
  const auto file = std::ranges::find_if(run.measurements, is_of_unreadable_file);
  return file == run.measurements.end() ? nullptr : &*file;
}

// What it means for an expectation that a run has only some of the facts that are wanted.
Assessment lacking(const CheckRun& run, const Expectation& expectation, std::size_t found, std::size_t wanted) {
  if (excluded_by_options(run, expectation)) return {Status::skip, std::string(unselected)};
  const std::string some = found == 0 ? "" : fmt::format("only {} of {}: the rest ", found, wanted);
  if (!ended_well(run))
    return {Status::unknown, fmt::format("{}could not be measured: {}", some, ending_with_phase(run)),
            "could_not_measure"};
  std::string reason = some + "was not measured";
  if (run.outcome != Outcome::finished) reason += ": " + run.reason;
  if (const auto* file = unreadable_file_of(run); file != nullptr && !expectation.optional)
    return {Status::unknown, fmt::format("{}; {}", reason, results::to_text(file->value)),
            std::string(unreadable_file_fault)};
  return {expectation.optional ? Status::skip : Status::fail, reason, "not_measured"};
}

// Whether it is about jobs over another number of hosts, and the profile expects the same metric of jobs like this one.
bool about_other_jobs(const Report& report, const Expectation& expectation, const Profile& profile) {
  const auto hosts = std::to_string(host_names(report).size());
  const auto fits = [&](const Expectation& other) {
    const auto wanted = other.labels.find("hosts");
    return wanted != other.labels.end() && satisfies(hosts, wanted->second);
  };
  return expectation.labels.contains("hosts") && !fits(expectation) &&
         std::ranges::any_of(profile.expectations, [&](const Expectation& other) {
           return other.check == expectation.check && other.metric == expectation.metric && fits(other);
         });
}

// The runs that explain why facts are missing: those that did not end well or have none.
std::vector<std::size_t> culprits(const Report& report, const std::vector<std::size_t>& runs,
                                  const std::vector<Fact>& facts) {
  std::vector<std::size_t> guilty = runs;
  std::erase_if(guilty, [&](std::size_t run) {
    return ended_well(report.checks[run]) && std::ranges::find(facts, run, &Fact::run) != facts.end();
  });
  return guilty.empty() ? std::vector{runs.front()} : guilty;
}

// How many of the facts of these runs each host has: of a job whose facts tell of their hosts, each of its hosts; else
// all of them together.
std::map<std::string, std::size_t> count_by_host(const Report& report, const std::vector<std::size_t>& runs,
                                                 const std::vector<Fact>& facts) {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t run : runs) {
    const auto& hosts = report.checks[run].hosts;
    const auto tells_its_host = [&](const Fact& fact) {
      return fact.run == run && std::ranges::find(hosts, host_of(fact)) != hosts.end();
    };
    const bool do_tell = std::ranges::any_of(facts, tells_its_host);
    const auto together = results::place(report.checks[run]);
    if (!do_tell) counts.try_emplace(together);
    for (const auto& host : hosts)
      if (do_tell) counts.try_emplace(host);
    for (const Fact& fact : facts)
      if (fact.run == run) ++counts[do_tell ? host_of(fact) : together];
  }
  return counts;
}

// Runs whose component the labels do not exclude.
std::vector<std::size_t> allowed(const Report& report, std::vector<std::size_t> runs, const results::Labels& labels) {
  std::erase_if(runs, [&](std::size_t i) {
    return std::ranges::any_of(with_component({}, report.checks[i]), [&](const auto& label) {
      const auto at = labels.find(label.first);
      return at != labels.end() && !satisfies(label.second, at->second);
    });
  });
  return runs;
}

// Of a check that a profile tells of and that did not run.
CheckRun absent_run(const std::string& check, const Profile& profile, const results::Selection& selection) {
  bool is_selected = false;
  bool is_demanded = false;
  for (const Expectation& expectation : profile.expectations) {
    if (expectation.check != check || !in_force(expectation, selection)) continue;
    is_selected = true;
    is_demanded = is_demanded || !expectation.optional;
  }
  CheckRun run;
  run.check = check;
  run.outcome = is_demanded ? Outcome::not_built : Outcome::skipped;
  run.reason = is_demanded ? not_there : is_selected ? not_demanded : unselected;
  return run;
}

}  // namespace

Report without_verdicts(Report report) {
  std::erase_if(report.checks, added_by_judge);
  for (CheckRun& run : report.checks) {
    run.verdicts.clear();
    run.information.clear();
  }
  return report;
}

Report with_absent_checks(Report report, const Profile& profile) {
  std::set<std::pair<std::string, std::string>> known;  // checks and hosts, of jobs all their hosts
  for (const CheckRun& run : report.checks) {
    if (run.attempt <= 1) known.emplace(run.check, run.host);
    for (const auto& host : run.hosts) known.emplace(run.check, host);
  }
  std::vector<CheckRun> absent;
  for (const Expectation& expectation : profile.expectations)
    if (!expectation.check.empty() && std::ranges::find(absent, expectation.check, &CheckRun::check) == absent.end())
      absent.push_back(absent_run(expectation.check, profile, report.selection));
  for (const std::string& name : report.selection.only)
    if (std::ranges::find(absent, name, &CheckRun::check) == absent.end())
      absent.push_back({.check = name, .outcome = Outcome::not_built, .reason = std::string(not_there)});
  for (const std::string& host : host_names(report))
    for (CheckRun run : absent) {
      if (known.contains({run.check, host})) continue;
      run.host = host;
      report.checks.push_back(std::move(run));
    }
  return report;
}

std::vector<RunVerdict> not_selected(const Report& report, const Expectation& expectation, const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  const Assessment assessment{Status::skip, std::string(unselected)};
  for (const auto& [host, runs] : first_attempts(report, expectation.check))
    run_verdicts.push_back(make_verdict(report, runs.front(), expectation.labels, assessment, expectation, faults));
  return run_verdicts;
}

std::vector<RunVerdict> unmeasured(const Report& report, const Expectation& expectation, const Profile& profile,
                                   const Faults& faults) {
  std::vector<RunVerdict> run_verdicts;
  const auto facts = facts_for(expectation, report);
  const bool is_for_others = facts.empty() && about_other_jobs(report, expectation, profile);
  const auto add = [&](std::size_t run, std::size_t found, std::size_t wanted, results::Labels labels) {
    const Assessment assessment =
        is_for_others ? Assessment{Status::skip, fmt::format("is for jobs of {} hosts", expectation.labels.at("hosts"))}
                      : lacking(report.checks[run], expectation, found, wanted);
    labels.insert(expectation.labels.begin(), expectation.labels.end());
    if (assessment.fault == unreadable_file_fault) {
      const auto& whose = unreadable_file_of(report.checks[run])->labels;
      labels.insert(whose.begin(), whose.end());
    }
    run_verdicts.push_back(make_verdict(report, run, std::move(labels), assessment, expectation, faults));
  };
  for (const auto& [host, all] : first_attempts(report, expectation.check)) {
    const auto runs = allowed(report, all, expectation.labels);
    const auto guilty = culprits(report, runs.empty() ? all : runs, facts);
    if (runs.empty()) {
      add(guilty.front(), 0, 1, {});
    } else if (expectation.count) {
      const auto wanted = wanted_count(report, runs, *expectation.count);
      for (const auto& [place, found] : count_by_host(report, runs, facts))
        if (found < wanted)
          for (const std::size_t run : guilty) add(run, found, wanted, {{"host", place}});
    } else {
      for (const std::size_t run : runs)
        if (std::ranges::find(facts, run, &Fact::run) == facts.end()) add(run, 0, 1, {});
    }
  }
  return run_verdicts;
}

}  // namespace muster::healthcheck
