// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "healthcheck/judge/run_verdict.hpp"

// What the judge says whatever the profile expects.
namespace muster::healthcheck {

// "timed out: no answer in 30 s, while locking memory"
std::string ending_with_phase(const results::CheckRun& run);

// One where another profile may be the right one for this machine.
std::vector<RunVerdict> doubts(const results::Report& report, const Faults& faults);

// One for each file of the kernel that a check wanted and that is damaged: what it tells is not known.
std::vector<RunVerdict> unreadable_files(const results::Report& report, const Faults& faults);

// One for each check that was asked for by its name, beside others, and of which no run measured anything.
std::vector<RunVerdict> unanswered(const results::Report& report, const Faults& faults);

// One for each run that did not come to its end, whatever is expected of it.
std::vector<RunVerdict> endings(const results::Report& report, const Faults& faults);

// One for each impossible number that no verdict of the report says to be so.
std::vector<RunVerdict> unexpected_impossible(const results::Report& report, const Faults& faults);

}  // namespace muster::healthcheck
