// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "healthcheck/judge/run_verdict.hpp"

namespace muster::healthcheck {

// The facts alone: without verdicts and statuses, and without the runs that with_absent_checks() adds.
results::Report without_verdicts(results::Report report);

// With a run, on each host, of every check that the profile expects and the report lacks: not_built, or skipped where
// none of its expectations that must be met is in force.
results::Report with_absent_checks(results::Report report, const Profile& profile);

// A skip on each host for an expectation that is not in force.
std::vector<RunVerdict> not_selected(const results::Report& report, const Expectation& expectation,
                                     const Faults& faults);

// What the expectation lacks. Each run of its check (first looks, of components that the labels allow) must have a
// matching fact; with a count, all runs of a host together must have that many, and of a job whose facts tell of their
// hosts each of its hosts. Lacking facts are unknown when a run ended without finishing, else fail, or skip where the
// expectation is optional, or about jobs over another number of hosts (label "hosts") while the profile expects the
// same metric of jobs like this one.
std::vector<RunVerdict> unmeasured(const results::Report& report, const Expectation& expectation,
                                   const Profile& profile, const Faults& faults);

}  // namespace muster::healthcheck
