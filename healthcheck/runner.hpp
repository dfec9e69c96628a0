// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/check.hpp"
#include "healthcheck/context.hpp"

namespace muster::healthcheck {

// Runs the check between two readings of the evidence and ends the run with its outcome; never throws.
void bracket(Check& check, Context& context, results::CheckRun& run, const Context::Record& record);

// The main() of every check: options, setup, run, judge, report. Returns the exit code of DESIGN: 0, 1, 2, 3 or 77.
int run_check(Check& check, int argc, char** argv);

}  // namespace muster::healthcheck
