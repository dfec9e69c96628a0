// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/expectations/profile.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// A measurement of a report and the run that made it.
struct Fact {
  std::size_t run = 0;  // index in Report::checks
  const results::Measurement* measurement = nullptr;
  results::Labels labels;  // of the measurement, the run's component and its host
};

// Whether this run of muster was asked to hold it.
bool in_force(const Expectation& expectation, const results::Selection& selection);

// Whether a label has the value that a filter wants: the same, or, of "2+", a number from 2 on.
bool satisfies(std::string_view value, std::string_view wanted);

// Whether each label of the filter is there and has the value that is wanted.
bool matches(const results::Labels& labels, const results::Labels& filter);

// Labels with those of the run's component and its host.
results::Labels with_component(results::Labels labels, const results::CheckRun& run);

// The host that a fact is about, or the hosts of its job; empty where nobody says.
std::string host_of(const Fact& fact);

// What the report holds of the metric of a check, filtered by the labels. The facts point into the report.
std::vector<Fact> facts_for(const Expectation& expectation, const results::Report& report);

// Every host that the report names or has a run of.
std::vector<std::string> host_names(const results::Report& report);

// Runs of a check that are no second look, by host.
std::map<std::string, std::vector<std::size_t>> first_attempts(const results::Report& report, std::string_view check);

}  // namespace muster::healthcheck
