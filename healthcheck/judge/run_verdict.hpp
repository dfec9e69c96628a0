// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "healthcheck/catalogue/fault.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "healthcheck/judge/bound.hpp"
#include "results/values/report.hpp"

namespace muster::healthcheck {

// A verdict and the run it belongs to.
struct RunVerdict {
  std::size_t run = 0;  // index in Report::checks
  results::Verdict verdict;
  bool needs_confirmation = false;
};

// How bad a violation is: what the expectation says, else its fault, which may be unknown (null).
results::Status severity_of(const Expectation& expectation, const Fault* fault);

// The finding with what the table of faults says of it, for a run of the report; labels get the run's component and
// host.
RunVerdict make_verdict(const results::Report& report, std::size_t run, results::Labels labels,
                        const Assessment& assessment, const Faults& faults);

// The same for a finding about an expectation: no worse than its severity, with its limit, source and action.
RunVerdict make_verdict(const results::Report& report, std::size_t run, results::Labels labels,
                        const Assessment& assessment, const Expectation& expectation, const Faults& faults);

// One for each fact that the expectation is about.
std::vector<RunVerdict> assess_facts(const results::Report& report, const Expectation& expectation,
                                     const Faults& faults);

// One for each counter of a run that did not hold, and one for a run that lacks a counter that is not optional.
// Counters that held have none: hundreds of them would bury the rest, and their deltas are in the report.
std::vector<RunVerdict> assess_evidence(const results::Report& report, const Expectation& expectation,
                                        const Faults& faults);

}  // namespace muster::healthcheck
