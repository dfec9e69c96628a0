// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "healthcheck/compare/comparison.hpp"
#include "healthcheck/compare/matches.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck::compare {

// Two reports that are compared part by part. They must live as long.
struct PairedReports {
  PairedReports(const results::Report& a, const results::Report& b);

  const results::Report& a;
  const results::Report& b;
  Names names;
  // Runs of which is said as a whole that they measured nothing in the other report: nobody looks at what they hold.
  std::vector<bool> is_told_a, is_told_b;

  Place place_in_a(const results::CheckRun& run, const std::string& metric, const results::Labels& labels) const;
  Place place_in_b(const results::CheckRun& run, const std::string& metric, const results::Labels& labels) const;
};

// Whether another value of this metric is a change: what lasts, or, of one machine, what is its own.
bool is_lasting(std::string_view metric, bool is_same_machine);

// Where a check measured in one report only, and how it ended in the other; notes which runs are told of.
std::vector<Change> run_changes(PairedReports& reports);

// What profiles found: new findings are worse, solved ones better, and what B did not look at is none of both. `gone`
// is what is gone already.
std::vector<Change> finding_changes(const PairedReports& reports, const std::vector<Change>& gone);

// What was measured: rates by their samples, components that only one has, what is lasting and has changed. Other
// values without samples are undecided. Says how many rates are sensitive.
std::vector<Change> fact_changes(const PairedReports& reports, std::size_t& sensitive);

// Hardware and software of the hosts, and the variables that a report records.
std::vector<Change> setting_changes(const PairedReports& reports);

// How much error counters grew while checks ran. Profiles say how much is too much, so here it is undecided.
std::vector<Change> counter_changes(const PairedReports& reports);

}  // namespace muster::healthcheck::compare
