// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "benchmarks/ranks/ranks.hpp"
#include "healthcheck/check/check.hpp"

namespace muster::healthcheck {

using MakeRanks = std::function<std::unique_ptr<benchmarks::Ranks>()>;

// The main() of every check: options, setup, run, judge, report. Returns 0 (pass or warn), 1 (fail), 2 (bad usage),
// 3 (unknown) or 77 (skipped).
// Of a job rank 0 alone writes, speaks and returns anything but 0; of ranks that a launcher started and MPI does not
// connect all return 3.
int run_check(Check& check, const MakeRanks& make_ranks, int argc, char** argv);

}  // namespace muster::healthcheck
