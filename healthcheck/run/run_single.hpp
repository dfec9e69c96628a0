// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "benchmarks/ranks/launcher.hpp"
#include "benchmarks/ranks/ranks.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/program/signals.hpp"
#include "healthcheck/run/options.hpp"

namespace muster::healthcheck {

// What only a program that runs one check is asked.
struct SingleCheckOptions {
  std::optional<std::size_t> ranks;  // of a job
  std::optional<double> timeout_seconds;
  std::optional<std::filesystem::path> turn;
  std::function<void()> expect_outputs;
  benchmarks::Launcher launcher = {};     // as it stood before MPI started
  std::string network = {};               // over which this host talks to the others; empty where nobody chose it
  std::string address = {};               // of this host there, where it has only one
  std::string misplaced = {};             // where this rank may run, if not on the CPUs that were asked for
  std::function<void()> started = [] {};  // called once the ranks of a job are connected
};

// Runs, judges and reports one check; the exit code, which is 0 on all ranks but the first. `told_to_stop` holds
// signals back in a job, and may be null. Throws UsageError where the options, or those of other ranks, cannot be met.
// Collective.
int run_single(Check& check, const Options& options, const SingleCheckOptions& wanted, Signals* told_to_stop,
               benchmarks::Ranks& ranks);

}  // namespace muster::healthcheck
