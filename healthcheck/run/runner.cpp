// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/runner.hpp"

#include <fmt/format.h>

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <initializer_list>
#include <memory>
#include <thread>
#include <utility>

#include "benchmarks/ranks/alone.hpp"
#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/check/checks_json.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/run/launch_settings.hpp"
#include "healthcheck/run/run_single.hpp"
#include "results/values/verdict.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::chrono::seconds time_of_first_rank{1};

void add_job_options(CommandLine& line, Options& options, SingleCheckOptions& own, LaunchSettings& launched) {
  line.add_positive("--ranks", own.ranks, "How many ranks the job must have; 1 measures a rank that moves no data");
  line.add("--deliver-to", options.deliver_to, "Where muster launch takes the report, which is then no file here");
  add_options(line, launched);
}

// Whether a launcher that this MPI does not know started this rank, which is the first of a job of its own.
bool is_apart(const benchmarks::Launcher& launcher, const benchmarks::Ranks& ranks) {
  return launcher.rank && launcher.rank->value != 0 && !benchmarks::told_of_others(launcher, ranks.size()).empty();
}

// Of such a rank, that the launcher's first one speaks for. A launcher that ends all ranks with the first bad code
// (srun --kill-on-bad-exit) leaves that one time to speak.
int code_of_others() {
  std::this_thread::sleep_for(time_of_first_rank);
  return results::exit_code(results::Status::unknown);
}

}  // namespace

int run_check(Check& check, const MakeRanks& make_ranks, int argc, char** argv) {
  const auto description = check.describe();
  Options options{.report = default_report(description.name)};
  bool describe = false;
  CommandLine line(description.summary, executable_name(description.name));
  line.examples({fmt::format("muster {} --all", description.name),
                 fmt::format("muster {} --report - --quiet", description.name)});
  add_options(line, options);
  line.group("Check");
  line.add("--describe", describe, "Print what this check is, as JSON, and run nothing");
  SingleCheckOptions own{.expect_outputs = [&] { line.expect_outputs(); },
                         .launcher = benchmarks::launcher_of(environ)};
  LaunchSettings launched;
  if (is_job(description.scope)) add_job_options(line, options, own, launched);
  line.add_positive("--timeout", own.timeout_seconds,
                    "Seconds after which it ends although it hangs (default: by tier)");
  if (description.prepares)
    line.add("--turn", own.turn, "Prepare while others have this file locked, and measure once they no longer have");
  check.add_options(line);
  const auto& rank = own.launcher.rank;
  const bool speaks = !is_job(description.scope) || !rank || rank->value == 0;
  return line.run(
      argc, argv,
      [&] {
        if (describe) {
          fmt::print("{}\n", to_json(description));
          return 0;
        }
        // mpirun ends ranks with SIGTERM, and SIGKILL a second later (Open MPI 4), or a quarter of one (5). That time
        // is for the report, whatever threads MPI has.
        const auto signals =
            options.deliver_to ? std::make_unique<Signals>(std::initializer_list<int>{SIGTERM}) : nullptr;
        const auto watch = watched_start(description.name, launched, options.deliver_to, signals.get(), own);
        const auto ranks = description.scope == Scope::hosts && !rank ? benchmarks::make_alone() : make_ranks();
        if (is_job(description.scope) && is_apart(own.launcher, *ranks)) return code_of_others();
        if (description.scope == Scope::hosts && !own.ranks) own.ranks = static_cast<std::size_t>(ranks->size());
        return run_single(check, options, own, signals.get(), *ranks);
      },
      speaks ? CommandLine::Voice::loud : CommandLine::Voice::silent);
}

}  // namespace muster::healthcheck
