// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/run_single.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "benchmarks/error.hpp"
#include "healthcheck/check/applicable.hpp"
#include "healthcheck/check/job.hpp"
#include "healthcheck/judge/judge.hpp"
#include "healthcheck/process/ticker.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/installation.hpp"
#include "healthcheck/run/alarm.hpp"
#include "healthcheck/run/close_report.hpp"
#include "healthcheck/run/job_monitor.hpp"
#include "healthcheck/run/occupancy.hpp"
#include "healthcheck/run/report_file.hpp"
#include "healthcheck/run/run_with_evidence.hpp"
#include "healthcheck/run/sampling_goal.hpp"
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

// Of what this process runs, byte by byte.
std::string hash_of_build(std::string_view check) {
  const auto places = installation();
  return results::sha256(results::read_text(places.bin / executable_name(check)) + results::read_text(places.library));
}

// Numbers of processes that are no job mean nothing.
std::string why_no_job(const Setup& setup, const results::Host& host, const RunningJob& job,
                       const SingleCheckOptions& wanted, benchmarks::Ranks& ranks) {
  const auto library = ranks.library();
  const auto file = host.fingerprint.find("topology_sha256");
  return healthcheck::why_no_job(ranks, job.hosts,
                                 {.same = {{"build of muster", ranks.size() > 1 ? hash_of_build(job.check) : ""},
                                           {"message passing library", library},
                                           {"profile", setup.profile.sha256},
                                           {"topology file", file == host.fingerprint.end() ? "" : file->second}},
                                  .launcher = wanted.launcher,
                                  .library = library.substr(0, library.find(',')),
                                  .wanted_size = wanted.ranks});
}

// A job that is monitored, or why its numbers would mean nothing.
struct JobStart {
  std::string why_not;
  std::unique_ptr<JobMonitor> monitor;  // of several ranks
};

JobStart begin_job(const RunningJob& job, const results::Host& host, const SingleCheckOptions& wanted,
                   double limit_seconds, const JobMonitor::GiveUp& end_it, Signals* told_to_stop,
                   benchmarks::Ranks& ranks) {
  if (auto reason = why_no_job(job.setup, host, job, wanted, ranks); !reason.empty() || ranks.size() == 1)
    return {.why_not = std::move(reason), .monitor = nullptr};
  try {
    return {
        .why_not = {},
        .monitor = std::make_unique<JobMonitor>(
            ranks,
            MonitoredJob{
                .run_id = job.run_id, .hosts = job.hosts, .limit_seconds = limit_seconds, .address = wanted.address},
            end_it, told_to_stop)};
  } catch (const benchmarks::Error& error) {
    return {.why_not = error.what(), .monitor = nullptr};
  }
}

// What measures beside other work measures that work, too.
void warn_of_other_work(const Description& check, const topology::Sysfs& sysfs,
                        const topology::MachineSummary& machine) {
  if (check.resources.empty() || !nothing_to_measure(check, sysfs, machine).empty()) return;
  if (const auto others = in_use_now(sysfs); !others.empty())
    fmt::print(stderr, "muster {}: other work keeps this machine busy: {}; what is measured beside it says little\n",
               check.name, others);
}

// In seconds, for all of it.
double limit_of(const Check& check, const Options& options, const SingleCheckOptions& wanted) {
  const auto tier = options.settings.tier;
  return wanted.timeout_seconds.value_or(default_timeout_seconds(tier) + check.wanted_seconds(tier));
}

std::unique_ptr<Turn> turn_of(const SingleCheckOptions& wanted) {
  return wanted.turn ? std::make_unique<Turn>(*wanted.turn) : nullptr;
}

// One run of a check. Its report is on disk from the first record on, and is closed by this thread, or by another that
// gives the run up.
class Run {
 public:
  // Throws UsageError where the options, or those of other ranks, cannot be met. Collective.
  Run(Check& check, const Options& options, const SingleCheckOptions& wanted, Signals* told_to_stop,
      benchmarks::Ranks& ranks)
      : check_(check),
        description_(check.describe()),
        options_(options),
        wanted_(wanted),
        told_to_stop_(told_to_stop),
        ranks_(ranks),
        setup_(prepared()),
        report_(begun_report()),
        file_(options),
        ticker_(std::make_unique<Ticker>(options.quiet || !writes_, description_.name, description_.typical_seconds)),
        limit_(limit_of(check, options, wanted)),
        turn_(turn_of(wanted)),
        job_{.options = options,
             .setup = setup_,
             .check = description_.name,
             .run_id = report_.run_id,
             .rank = ranks.rank(),
             .hosts = all_gather(ranks, run().host),
             .started = started_,
             .last = last_} {}

  // Measures and judges; the exit code. Collective.
  int perform() {
    Context context(setting(), run(), record_);
    expect_possible(context);
    if (!in_a_job_ && !options_.quiet && setup_.sysfs.live())
      warn_of_other_work(description_, setup_.sysfs, setup_.machine);
    record_(run());
    measure_in_time(context);
    ticker_.reset();
    return writes_ ? close() : 0;
  }

 private:
  results::CheckRun& run() { return report_.checks.front(); }

  Setup prepared() const {
    std::unique_ptr<Setup> setup;
    refuse_together(ranks_, [&] {
      if (writes_ && !options_.deliver_to) wanted_.expect_outputs();
      setup = std::make_unique<Setup>(prepare(options_));
    });
    return std::move(*setup);
  }

  // The report with its first record; all ranks have one run id. Collective.
  results::Report begun_report() const {
    auto report = begin_report(setup_, options_.settings.tier, description_.name);
    report.run_id = ranks_.broadcast(report.run_id);
    return report;
  }

  Context::Setting setting() {
    return {
        .sysfs = setup_.sysfs,
        .settings = setup_.settings,
        .deadline = in_a_job_ ? started_ + ticks(share_of_sampling * limit_) : Deadline::max(),
        .scratch_mounts = setup_.profile.scratch_mounts,
        .goal =
            [this](std::string_view metric, const results::Labels& labels, const std::optional<results::Limit>& limit) {
              return goal(setup_.profile, report_.selection, metric, labels, limit);
            },
        .ranks = &ranks_,
        .hosts = job_.hosts,
        .turn = turn_.get()};
  }

  void expect_possible(const Context& context) const {
    refuse_together(ranks_, [&] {
      if (description_.scope == Scope::hosts) expect_one_rank_on_each(job_.hosts);
      check_.expect_possible(context);
    });
  }

  void record(const results::CheckRun& now) {
    const std::lock_guard lock(writing_);
    if (!writes_) return;
    ticker_->say(now.phase);
    last_ = report_;
    file_.write(report_);
  }

  void measure_in_time(Context& context) {
    const auto give_up = [this](const JobFailure& trouble) {
      const Alarm writing_ends(Clock::now() + time_to_write,
                               [] { _exit(results::exit_code(results::Status::unknown)); });
      writing_.lock();  // for good
      close_report_and_exit(trouble, job_);
    };
    JobStart start;
    if (in_a_job_) start = begin_job(job_, report_.hosts.front(), wanted_, limit_, give_up, told_to_stop_, ranks_);
    wanted_.started();
    std::optional<Alarm> alarm;
    if (!start.monitor) alarm.emplace(started_ + ticks(limit_), [&] { give_up(failure_of_one(limit_)); });
    measure(context, start);
  }

  // What muster launch asked for: over which network each host talks to the others, and which ranks are not on the CPUs
  // of their seats. Collective.
  void note_launch() {
    std::vector<results::Measurement> own;
    const auto note = [&](std::string_view name, const std::string& value, results::Labels labels) {
      if (value.empty()) return;
      labels.emplace("host", run().host);
      own.push_back({.metric = results::metric_name(description_.name, name),
                     .value = value,
                     .labels = std::move(labels),
                     .summary = {},
                     .stopping = {},
                     .limit = {}});
    };
    note("tcp_network", wanted_.network, {});
    note("misplaced_rank", wanted_.misplaced, {{"rank", std::to_string(ranks_.rank())}});
    std::ranges::move(gather_facts(ranks_, std::move(own)), std::back_inserter(run().measurements));
  }

  // What one rank cannot do ends the job: the others would wait for it.
  void measure(Context& context, const JobStart& start) {
    try {
      if (start.monitor) note_launch();
      if (!setup_.sysfs.live() && !description_.reads_tree_only) {
        run().outcome = results::Outcome::skipped;
        run().reason = "a captured tree cannot be measured";
      } else if (!start.why_not.empty()) {
        run().outcome = results::Outcome::error;
        run().reason = start.why_not;
      } else if (!run_with_evidence(check_, context, run(), record_) && start.monitor) {
        start.monitor->fail(run().reason);
      }
      join_hosts(report_, ranks_);
    } catch (const std::exception& error) {
      if (!start.monitor) throw;
      start.monitor->fail(error.what());
    }
  }

  int close() {
    const bool skipped = run().outcome == results::Outcome::skipped;
    report_.duration_seconds = seconds(Clock::now() - started_);
    report_ = judge(std::move(report_), setup_.profile, setup_.faults);
    file_.write_last(report_);
    const int code = print_result(report_, options_);
    return file_.ended(skipped && report_.status == results::Status::skip ? skipped_exit_code : code);
  }

  const Clock::time_point started_ = Clock::now();
  Check& check_;
  const Description description_;
  const Options& options_;
  const SingleCheckOptions& wanted_;
  Signals* told_to_stop_;
  benchmarks::Ranks& ranks_;
  const bool in_a_job_ = is_job(description_.scope);
  const bool writes_ = ranks_.rank() == 0;
  const Setup setup_;
  results::Report report_;
  ReportFile file_;
  std::unique_ptr<Ticker> ticker_;
  const double limit_;
  const std::unique_ptr<Turn> turn_;
  const Context::Record record_ = [this](const results::CheckRun& now) { record(now); };
  std::mutex writing_;                   // of the report
  std::optional<results::Report> last_;  // that was recorded
  const RunningJob job_;
};

}  // namespace

int run_single(Check& check, const Options& options, const SingleCheckOptions& wanted, Signals* told_to_stop,
               benchmarks::Ranks& ranks) {
  return Run(check, options, wanted, told_to_stop, ranks).perform();
}

}  // namespace muster::healthcheck
