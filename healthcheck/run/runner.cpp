// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/runner.hpp"

#include <fmt/format.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "benchmarks/error.hpp"
#include "benchmarks/ranks/alone.hpp"
#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/check/checks_json.hpp"
#include "healthcheck/check/job.hpp"
#include "healthcheck/judge/judge.hpp"
#include "healthcheck/process/ticker.hpp"
#include "healthcheck/program/clock.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/program/signals.hpp"
#include "healthcheck/run/abandon.hpp"
#include "healthcheck/run/alarm.hpp"
#include "healthcheck/run/bracket.hpp"
#include "healthcheck/run/goal.hpp"
#include "healthcheck/run/occupancy.hpp"
#include "healthcheck/run/options.hpp"
#include "healthcheck/run/report_file.hpp"
#include "healthcheck/run/watch.hpp"
#include "results/json/report_json.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int skipped_exit_code = 77;
// A slow job samples for this share of its time at most, and has the rest to say so.
constexpr double share_of_sampling = 0.8;
// Of the last report: the disk that it is to be written to may be what hangs.
constexpr std::chrono::seconds time_to_write{10};

// What one rank refuses, all refuse, and rank 0 says so.
void refuse_together(benchmarks::Ranks& ranks, const std::function<void()>& part) {
  try {
    benchmarks::together(ranks, part);
  } catch (const benchmarks::Error& error) {
    throw UsageError(error.what());
  }
}

// Numbers of processes that are no job mean nothing.
std::string why_no_job(const Setup& setup, const results::Host& host, const OpenJob& job,
                       std::optional<std::size_t> wanted_size, benchmarks::Ranks& ranks) {
  const auto places = installation();
  const std::string build =
      results::sha256(results::read_text(places.bin / executable_name(job.check)) + results::read_text(places.library));
  const auto file = host.fingerprint.find("topology_sha256");
  return healthcheck::why_no_job(ranks, job.hosts,
                                 {.same = {{"build of muster", build},
                                           {"message passing library", ranks.library()},
                                           {"profile", setup.profile.sha256},
                                           {"topology file", file == host.fingerprint.end() ? "" : file->second}},
                                  .told_size = benchmarks::told_size(environ),
                                  .wanted_size = wanted_size});
}

// What only a program that runs one check is asked.
struct OwnOptions {
  std::optional<std::size_t> ranks;  // of a job
  std::optional<double> timeout_seconds;
  std::optional<std::filesystem::path> turn;
  std::function<void()> expect_outputs;
};

// A job under watch, or why its numbers would mean nothing.
struct Begun {
  std::string why_not;
  std::unique_ptr<Watch> watch;  // of several ranks
};

Begun begin_job(const OpenJob& job, const results::Host& host, const OwnOptions& wanted, double limit_seconds,
                const Watch::Abandon& end_it, Signals* told_to_stop, benchmarks::Ranks& ranks) {
  if (auto reason = why_no_job(job.setup, host, job, wanted.ranks, ranks); !reason.empty() || ranks.size() == 1)
    return {.why_not = std::move(reason), .watch = nullptr};
  try {
    return {.why_not = {},
            .watch = std::make_unique<Watch>(
                ranks, WatchedJob{.run_id = job.run_id, .hosts = job.hosts, .limit_seconds = limit_seconds}, end_it,
                told_to_stop)};
  } catch (const benchmarks::Error& error) {
    return {.why_not = error.what(), .watch = nullptr};
  }
}

// What one rank cannot do ends the job: the others would wait for it.
void measure_and_join(Check& check, Context& context, const Context::Record& record, results::Report& report,
                      const Begun& job) {
  auto& run = report.checks.front();
  try {
    if (!context.sysfs().live() && !check.describe().reads_tree_only) {
      run.outcome = results::Outcome::skipped;
      run.reason = "a captured tree cannot be measured";
    } else if (!job.why_not.empty()) {
      run.outcome = results::Outcome::error;
      run.reason = job.why_not;
    } else {
      if (!bracket(check, context, run, record) && job.watch) job.watch->fail(run.reason);
    }
    join_hosts(report, context.ranks());
  } catch (const std::exception& error) {
    if (!job.watch) throw;
    job.watch->fail(error.what());
  }
}

// What measures beside other work measures that work, too.
void warn_of_other_work(const Description& check, const topology::Sysfs& sysfs) {
  if (check.resources.empty()) return;
  if (const auto others = in_use_now(sysfs); !others.empty())
    fmt::print(stderr, "muster {}: other work keeps this machine busy: {}; what is measured beside it says little\n",
               check.name, others);
}

int run_with(Check& check, const Options& options, const OwnOptions& wanted, Signals* told_to_stop,
             benchmarks::Ranks& ranks) {
  const auto start = Clock::now();
  const auto description = check.describe();
  const bool in_a_job = is_job(description.scope);
  const bool writes = ranks.rank() == 0;
  std::unique_ptr<Setup> prepared;
  refuse_together(ranks, [&] {
    if (writes && !options.deliver_to) wanted.expect_outputs();
    prepared = std::make_unique<Setup>(prepare(options));
  });
  const Setup& setup = *prepared;
  auto report = begin_report(setup, options.tier, description.name);
  report.run_id = ranks.broadcast(report.run_id);
  auto& run = report.checks.front();
  ReportFile file(options);
  auto ticker = std::make_unique<Ticker>(options.quiet || !writes, description.name, description.typical_seconds);
  std::mutex writing;
  std::optional<results::Report> last;
  const Context::Record record = [&](const results::CheckRun& now) {
    const std::lock_guard lock(writing);
    if (!writes) return;
    ticker->say(now.phase);
    last = report;
    file.write(report);
  };
  const auto find_goal = [&](std::string_view metric, const results::Labels& labels,
                             const std::optional<results::Limit>& limit) {
    return goal(setup.profile, report.selection, metric, labels, limit);
  };
  const auto turn = wanted.turn ? std::make_unique<Turn>(*wanted.turn) : nullptr;
  const double limit =
      wanted.timeout_seconds.value_or(default_timeout_seconds(options.tier) + check.wanted_seconds(options.tier));
  const OpenJob job{.options = options,
                    .setup = setup,
                    .check = description.name,
                    .run_id = report.run_id,
                    .rank = ranks.rank(),
                    .hosts = all_gather(ranks, run.host),
                    .started = start,
                    .last = last};
  Context context({.sysfs = setup.sysfs,
                   .tier = options.tier,
                   .deadline = in_a_job ? start + ticks(share_of_sampling * limit) : Deadline::max(),
                   .scratch = setup.scratch,
                   .state = setup.state,
                   .topology = setup.topology,
                   .scratch_mounts = setup.profile.scratch_mounts,
                   .allow_raw_read = options.allow_raw_read,
                   .goal = find_goal,
                   .ranks = &ranks,
                   .hosts = job.hosts,
                   .turn = turn.get()},
                  run, record);
  refuse_together(ranks, [&] {
    if (description.scope == Scope::hosts) expect_one_rank_on_each(job.hosts);
    check.expect_possible(context);
  });
  if (!in_a_job && !options.quiet && setup.sysfs.live()) warn_of_other_work(description, setup.sysfs);
  record(run);

  const auto end_it = [&](const Trouble& trouble) {
    const Alarm writing_ends(Clock::now() + time_to_write, [] { _exit(results::exit_code(results::Status::unknown)); });
    writing.lock();  // for good
    abandon(trouble, job);
  };
  Begun begun;
  if (in_a_job) begun = begin_job(job, report.hosts.front(), wanted, limit, end_it, told_to_stop, ranks);
  std::optional<Alarm> alarm;
  if (!begun.watch) alarm.emplace(start + ticks(limit), [&] { end_it(trouble_of_one(limit)); });
  measure_and_join(check, context, record, report, begun);
  begun.watch.reset();
  alarm.reset();
  ticker.reset();
  if (!writes) return 0;
  const bool skipped = run.outcome == results::Outcome::skipped;
  report.duration_seconds = seconds(Clock::now() - start);
  report = judge(std::move(report), setup.profile, setup.faults);
  file.write_last(report);
  const int code = conclude(report, options);
  return file.ended(skipped && report.status == results::Status::skip ? skipped_exit_code : code);
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
  OwnOptions own{.expect_outputs = [&] { line.expect_outputs(); }};
  if (is_job(description.scope)) {
    line.add_positive("--ranks", own.ranks, "How many ranks the job must have; 1 measures a rank that moves no data");
    line.add("--deliver-to", options.deliver_to, "Where muster launch takes the report, which is then no file here");
  }
  line.add_positive("--timeout", own.timeout_seconds,
                    "Seconds after which it ends although it hangs (default: by tier)");
  if (description.prepares)
    line.add("--turn", own.turn, "Prepare while others have this file locked, and measure once they no longer have");
  check.add_options(line);
  const auto rank = benchmarks::told_rank(environ);
  const bool speaks = !is_job(description.scope) || !rank || rank->value == 0;
  return line.run(
      argc, argv,
      [&] {
        if (describe) {
          fmt::print("{}\n", to_json(description));
          return 0;
        }
        // mpirun ends ranks with SIGTERM, and SIGKILL a second later. That second is for the report, whatever threads
        // MPI has.
        std::optional<Signals> told_to_stop;
        if (options.deliver_to) told_to_stop.emplace({SIGTERM});
        const bool is_one_host = description.scope == Scope::hosts && !rank;
        const auto ranks = is_one_host ? benchmarks::make_alone() : make_ranks();
        if (description.scope == Scope::hosts && !own.ranks) own.ranks = static_cast<std::size_t>(ranks->size());
        return run_with(check, options, own, told_to_stop ? &*told_to_stop : nullptr, *ranks);
      },
      speaks ? CommandLine::Voice::loud : CommandLine::Voice::silent);
}

}  // namespace muster::healthcheck
