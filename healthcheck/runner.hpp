// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "benchmarks/ranks.hpp"
#include "healthcheck/check.hpp"
#include "healthcheck/context.hpp"

namespace muster::healthcheck {

// Runs the check between two readings of the evidence and ends the run with its outcome; never throws. Whether the
// check came to its own end: an error may also be of the evidence alone.
bool bracket(Check& check, Context& context, results::CheckRun& run, const Context::Record& record);

using MakeRanks = std::function<std::unique_ptr<benchmarks::Ranks>()>;

// The main() of every check: options, setup, run, judge, report. Returns the exit code of DESIGN: 0, 1, 2, 3 or 77.
// Of a job rank 0 alone writes, speaks and returns anything but 0.
int run_check(Check& check, const MakeRanks& make_ranks, int argc, char** argv);

}  // namespace muster::healthcheck
