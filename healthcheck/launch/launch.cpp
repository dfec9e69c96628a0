// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "healthcheck/judge/judge.hpp"
#include "healthcheck/launch/failed_job.hpp"
#include "healthcheck/launch/job_end.hpp"
#include "healthcheck/launch/job_machine.hpp"
#include "healthcheck/launch/job_words.hpp"
#include "healthcheck/launch/keys.hpp"
#include "healthcheck/launch/reach.hpp"
#include "healthcheck/launch/silent_hosts.hpp"
#include "healthcheck/process/addresses.hpp"
#include "healthcheck/process/guard.hpp"
#include "healthcheck/process/ticker.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/find_program.hpp"
#include "healthcheck/program/private_folder.hpp"
#include "healthcheck/program/streams.hpp"
#include "healthcheck/run/job_network.hpp"
#include "healthcheck/run/live_report.hpp"
#include "healthcheck/run/report_inbox.hpp"
#include "healthcheck/run/seat.hpp"
#include "healthcheck/run/start_watch.hpp"
#include "healthcheck/start/child_result.hpp"
#include "healthcheck/start/mpirun_job.hpp"
#include "healthcheck/start/open_mpi.hpp"
#include "healthcheck/start/slurm_job.hpp"
#include "results/json/report_json.hpp"
#include "results/system/error.hpp"
#include "topology/machine/machine.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;
using results::CheckRun;
using results::Outcome;

constexpr std::chrono::seconds time_to_resolve{2};  // names of nodes, which Slurm reaches without them

bool starts_by_srun(const LaunchOptions& options, const HostList& hosts) {
  return hosts.of_slurm && !options.keys && has_program("srun");
}

HostRequest hosts_wanted(const LaunchOptions& options, const Description& check) {
  auto request = options.hosts;
  request.wants_slots = !options.ranks_on_each && check.scope != Scope::hosts;  // which has one process on each
  return request;
}

class Launch {
 public:
  Launch(const LaunchOptions& options, const std::filesystem::path& bin, const std::vector<Description>& checks)
      : options_(options),
        check_(job_of(options.job.front(), checks)),
        command_(command_of_job((bin / executable_name(check_.name)).string(),
                                {options.job.begin() + 1, options.job.end()})),
        asked_(ask_about_options(command_)),
        setup_(prepare(options.common)),
        hosts_(find_hosts(hosts_wanted(options, check_), setup_.sysfs, environ)),
        machine_(job_machine(setup_.settings.topology, hosts_, setup_.sysfs)),
        ranks_(healthcheck::ranks_on_each(options, hosts_, check_, machine_, setup_.machine)),
        slurm_(starts_by_srun(options, hosts_) ? variables_of_slurm(hosts_.count(), ranks_, environ)
                                               : std::vector<std::string>()),
        deadline_(Clock::now() + ticks(options.deadline_seconds)),
        folder_(setup_.scratch()) {
    expect_hosts_for_mpirun(hosts_.names);
    expect_seats(machine_, ranks_);
    if (options.keys) {
      key_ = private_copy_of_key(*options.keys, folder_.path());
      known_hosts_ = known_hosts_of_job(*key_, folder_.path());
    }
    expect_options_are_right(asked_);
  }

  int run() {
    LiveReport report(setup_, options_.common, first_report());
    if (!options_.common.quiet)
      tell(
          fmt::format("report: {}\nhosts: {} of {}\n", options_.common.report.string(), hosts_.count(), hosts_.source));
    auto run = report.facts(0);
    std::optional<results::Report> received;
    try {
      received = run_shown(run);
    } catch (const std::exception& error) {  // nothing that is left says that a job still runs
      run.outcome = Outcome::error;
      run.reason = in_words(error);
      report.update(0, std::move(run));
      throw;
    }
    if (received) {
      ReportFile file(options_.common);
      file.write(*received);
      return file.ended(print_result(*received, options_.common));
    }
    run.duration_seconds = seconds(Clock::now() - started_);
    report.update(0, std::move(run));
    return report.ended(print_result(report.judged(), options_.common));
  }

 private:
  // What is true until the job says more; what its hosts are, only they know.
  results::Report first_report() const {
    auto report = begin_report(setup_, options_.common.settings.tier, check_.name);
    auto& run = report.checks.front();
    run.started = results::utc_now();
    run.outcome = Outcome::running;
    run.hosts = hosts_.names;
    return report;
  }

  // The report of the job, as far as it can be started.
  std::optional<results::Report> run_shown(CheckRun& run) {
    Ticker ticker(options_.common.quiet, check_.name, 0);
    ticker.say("waiting for the hosts");
    if (!wait_for_hosts(run)) return std::nullopt;
    ticker.say("the job runs");
    return run_job(run);
  }

  // Whether the job can be started.
  bool wait_for_hosts(CheckRun& run) {
    if (hosts_.names.empty()) return true;
    const bool by_ssh = slurm_.empty();
    const auto patience = by_ssh ? ticks(options_.wait_seconds) : Clock::duration(time_to_resolve);
    const auto port = by_ssh ? std::optional(options_.port) : std::nullopt;
    const auto end = std::min(deadline_, Clock::now() + patience);
    auto waited = healthcheck::wait_for_hosts(hosts_.names, port, end, signals_);
    if (!by_ssh && !waited.absent.empty()) waited = {.told_to_stop = waited.told_to_stop};
    if (waited.told_to_stop) {
      run.outcome = Outcome::interrupted;
      run.reason = fmt::format("muster was told to stop; it waited for {}", names_of(waited.absent));
    } else if (!waited.absent.empty()) {
      run.outcome = Outcome::error;
      run.reason = fmt::format("{} of {} hosts did not answer within {:.3g} s: {}", waited.absent.size(),
                               hosts_.count(), options_.wait_seconds, names_of(waited.absent));
      for (const auto& [host, reason] : waited.absent) add_fact_of_host(run, "absent_host", host, reason);
    }
    addresses_ = waited.addresses;
    return !waited.told_to_stop && waited.absent.empty();
  }

  // The report of the job; nothing, and the reason in the run, where none came.
  std::optional<results::Report> run_job(CheckRun& run) {
    ReportInbox inbox(hosts_.names.empty() ? "127.0.0.1" : only_source_towards(addresses_));
    const auto limit = seconds(deadline_ - Clock::now());
    Guard guard(job_command(inbox.address()), deadline_, never_ends);
    auto way_back = way_back_to(inbox);
    auto [ending, letter, was_stuck, waiting] = wait_for_end(guard, inbox, way_back ? &*way_back : nullptr, signals_);
    if (letter && letter->starts_with(start_of_checks)) {  // of a host on which MPI did not start
      ending.said.insert(0, *letter);
      if (was_stuck) ending.kind = ProcessExit::Kind::hopeless;  // and was not told to stop by anybody else
      letter.reset();
    }
    if (letter) {
      try {
        return explained(results::report_from_json(*letter), ending, limit);
      } catch (const results::Error& error) {
        run.outcome = Outcome::error;
        run.reason = fmt::format("the report that the job sent cannot be read: {}", error.what());
        return std::nullopt;
      }
    }
    run = run_of_child(run, {.ending = ending, .report = report_of_job(), .limit_seconds = limit});
    const auto silent = silent_hosts(hosts_.names, addresses_, waiting);
    run = run.outcome == Outcome::timed_out && !silent.empty()
              ? with_silent_hosts(std::move(run), silent)
              : with_words_of_launcher(std::move(run), ending, launched_job());
    return std::nullopt;
  }

  LaunchedJob launched_job() const {
    return {.hosts = hosts_.names,
            .ranks_on_each = ranks_,
            .launched_from = setup_.sysfs.text("proc/sys/kernel/hostname").value_or(""),
            .has_own_key = key_.has_value(),
            .binds_ranks = machine_.has_value(),
            .ranks_follow_the_hosts = ranks_follow_the_hosts()};
  }

  // mpirun places ranks on its own machine first, wherever the list has it.
  bool ranks_follow_the_hosts() const {
    if (addresses_.empty()) return hosts_.names.empty();
    const auto own = own_addresses();
    return std::none_of(addresses_.begin() + 1, addresses_.end(),
                        [&](const auto& address) { return is_own(own, address); });
  }

  // A job that was ended from here says that it was told to stop, and not why.
  results::Report explained(results::Report report, const ProcessExit& ending, double limit) const {
    auto& run = report.checks.front();
    if (run.outcome != Outcome::interrupted || ending.kind == ProcessExit::Kind::exited) return report;
    run = run_of_child(run, {.ending = ending, .report = report_of_job(), .limit_seconds = limit});
    if (ending.kind == ProcessExit::Kind::hopeless)
      run = with_words_of_launcher(std::move(run), ending, launched_job());
    return judge(std::move(report), setup_.profile, setup_.faults);
  }

  MpirunJob mpirun_job() const {
    return {.hosts = hosts_,
            .ranks_on_each = ranks_,
            .port = options_.port,
            .key = key_,
            .known_hosts = known_hosts_,
            .interface = interface_of_mpirun(),
            .control = network_of_control(),
            .machine = machine_,
            .environment = variables_of_ranks(environ),
            .slurm = slurm_};
  }

  // Nothing where hosts are not reached by ssh.
  std::optional<WayBack> way_back_to(const ReportInbox& inbox) const {
    if (hosts_.names.empty() || !slurm_.empty()) return std::nullopt;
    const auto program = std::filesystem::path(command_.front()).parent_path() / "muster";
    return WayBack({.mpirun = mpirun_job(), .addresses = addresses_, .port = inbox.port(), .program = program});
  }

  std::vector<std::string> job_command(const std::string& inbox) const {
    auto words = mpirun(mpirun_job(), folder_.path());
    words.insert(words.end(), command_.begin(), command_.end());
    const auto add = [&](std::string_view option, const std::string& value) {
      words.emplace_back(option);
      words.push_back(value);
    };
    const auto& common = options_.common;
    words.emplace_back("--quiet");
    add("--deliver-to", inbox);
    add("--report", report_of_job().string());
    add("--ranks", std::to_string(ranks_ * hosts_.count()));
    if (addresses_.size() > 1) {
      add("--hosts-at", fmt::format("{} {}", options_.port, fmt::join(addresses_, " ")));
      if (!options_.interfaces.empty())
        add("--interface", interfaces());
      else if (open_mpi_chooses_interfaces(setup_.sysfs, environ))
        words.emplace_back("--leave-network");
    }
    if (machine_) add("--seats", seats_in_words(topology::placement(*machine_, ranks_)));
    add("--root", setup_.sysfs.root().string());
    if (common.profile != "auto") add("--profile", setup_.wanted_profile);
    auto settings = setup_.settings;
    if (!common.settings.scratch) settings.scratch.reset();  // each host has one of its own
    std::ranges::move(to_arguments(settings), std::back_inserter(words));
    return words;
  }

  // Ranks on several hosts choose it themselves: they name the host that lacks it, where a daemon of Open MPI 5.0
  // crashes (seen with 5.0.11).
  std::optional<std::string> interface_of_mpirun() const {
    return options_.interfaces.empty() || addresses_.size() > 1 ? std::nullopt : std::optional(interfaces());
  }

  std::optional<std::string> network_of_control() const {
    if (addresses_.empty() || !slurm_.empty() || mpirun_chooses_interfaces(setup_.sysfs, environ)) return std::nullopt;
    return network_of_neighbours(own_addresses(), only_source_towards(addresses_), addresses_);
  }

  // "eth0,10.0.0.0/8"
  std::string interfaces() const { return fmt::format("{}", fmt::join(options_.interfaces, ",")); }

  // Where the report goes, on the host of rank 0, if it cannot be delivered.
  std::filesystem::path report_of_job() const {
    return setup_.scratch() / fmt::format("muster-job-{}.json", folder_.path().filename().string());
  }

  const LaunchOptions& options_;
  const Description& check_;
  std::vector<std::string> command_;
  Guard asked_;  // the check, about its options
  Clock::time_point started_ = Clock::now();
  Setup setup_;
  HostList hosts_;
  std::vector<std::string> addresses_;  // where they answer; none where not all are known
  std::optional<topology::Machine> machine_;
  std::size_t ranks_;
  std::vector<std::string> slurm_;  // where srun starts the daemons, and not ssh
  Clock::time_point deadline_;
  PrivateFolder folder_;
  std::optional<std::filesystem::path> key_;
  std::filesystem::path known_hosts_;
  Signals signals_{ending_signals};
};

}  // namespace

int launch(const LaunchOptions& options, const std::filesystem::path& bin, const std::vector<Description>& checks) {
  return Launch(options, bin, checks).run();
}

}  // namespace muster::healthcheck
