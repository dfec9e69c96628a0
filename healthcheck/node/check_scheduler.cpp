// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/check_scheduler.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "healthcheck/check/applicable.hpp"
#include "healthcheck/process/orphans.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/run/occupancy.hpp"
#include "healthcheck/start/child_result.hpp"
#include "healthcheck/start/mpirun_job.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds short_look{100};
constexpr std::chrono::milliseconds longer_look{200};  // after a short one that does not find the machine idle
constexpr std::chrono::milliseconds frame_time{100};
// A guard ends its child within this time after the deadline; one that does not is not working.
constexpr auto guard_time = term_timeout + kill_timeout + std::chrono::milliseconds(200);

// A job says itself, a while before it would be killed, which of its ranks hangs. Of any other check that is seen from
// here, and where in the kernel: its own limit comes later.
constexpr double share_of_a_job = 0.8;
constexpr double share_of_others = 2;

constexpr auto turn_file = "turn";

}  // namespace

CheckScheduler::CheckScheduler(const NodeOptions& options, const Setup& setup, std::filesystem::path bin,
                               std::vector<Task> tasks, LiveReport& report, Progress& progress)
    : options_(options),
      setup_(setup),
      bin_(std::move(bin)),
      tasks_(std::move(tasks)),
      report_(report),
      progress_(progress),
      strangers_(topology::descendants(topology::processes(topology::Sysfs()), getpid())),
      folder_(setup.scratch()),
      signals_(ending_signals),
      budget_end_(options.budget_seconds ? Clock::now() + ticks(*options.budget_seconds) : Clock::time_point::max()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGCHLD, SIG_DFL);
}

void CheckScheduler::run() {
  end_what_cannot_run();
  end_what_would_disturb();
  run_pending();
  if (!stopped_) look_again();
  kill_orphans(spared());
}

void CheckScheduler::run_pending() {
  while (start_what_fits(), !running_.empty()) wait();
}

void CheckScheduler::look_again() {
  const auto judged = report_.judged();
  const auto doubted = report_.checks_to_confirm();
  for (std::size_t index = 0, first_attempts = tasks_.size(); index < first_attempts; ++index) {
    const CheckRun& first = judged.checks[index];
    const bool is_active = !tasks_[index].check.resources.empty();
    const bool has_failed = options_.confirm && is_active && first.status == results::Status::fail;
    const bool is_doubted = std::ranges::find(doubted, first.check) != doubted.end();
    if (first.outcome != Outcome::finished || !(has_failed || is_doubted)) continue;
    CheckRun second;
    second.check = first.check;
    second.host = first.host;
    second.component = first.component;
    second.attempt = 2;
    tasks_.emplace_back(tasks_[index]);
    report_.add(std::move(second));
  }
  run_pending();
}

void CheckScheduler::end(std::size_t index, CheckRun run) {
  report_.update(index, std::move(run));
  progress_.line(results::progress_line(report_.judged(index), progress_.colour()));
  show_status();
}

void CheckScheduler::end(std::size_t index, Outcome outcome, std::string_view reason) {
  CheckRun run = report_.facts(index);
  run.outcome = outcome;
  run.reason = reason;
  end(index, std::move(run));
}

void CheckScheduler::end_pending(Outcome outcome, std::string_view reason) {
  for (std::size_t index = 0; index < tasks_.size(); ++index)
    if (pending(index)) end(index, outcome, reason);
}

void CheckScheduler::end_what_cannot_run() {
  for (std::size_t index = 0; index < tasks_.size(); ++index) {
    if (!pending(index)) continue;
    const Description& check = tasks_[index].check;
    std::string reason = cannot_run(check, setup_.machine);
    if (!setup_.sysfs.live() && !check.reads_tree_only) reason = "a captured tree cannot be measured";
    if (!reason.empty()) end(index, Outcome::skipped, reason);
  }
}

void CheckScheduler::end_what_would_disturb() {
  if (options_.even_if_in_use || !setup_.sysfs.live()) return;
  const auto active = [&](std::size_t index) {
    const auto& check = tasks_[index].check;
    return pending(index) && !check.resources.empty() &&
           nothing_to_measure(check, setup_.sysfs, setup_.machine).empty();  // else it disturbs nobody, and says so
  };
  std::vector<std::size_t> indices;
  for (std::size_t index = 0; index < tasks_.size(); ++index)
    if (active(index)) indices.push_back(index);
  if (indices.empty()) return;
  const LoadSnapshot before = look(setup_.sysfs);
  Foreign others;
  for (const auto time : {short_look, longer_look}) {
    pollfd signal{.fd = signals_.descriptor(), .events = POLLIN, .revents = 0};
    poll(&signal, 1, static_cast<int>(time.count()));
    heed_signals();
    others = foreign(before, look(setup_.sysfs), getpid());
    if (stopped_ || is_idle(others, setup_.machine.cpu_count)) break;
  }
  const std::string reason = in_use(others, setup_.machine.cpu_count);
  for (const std::size_t index : indices)
    if (!reason.empty() && pending(index)) end(index, Outcome::in_use, reason);
}

void CheckScheduler::start_what_fits() {
  give_turns();
  for (std::size_t index = 0; index < tasks_.size(); ++index) {
    if (!pending(index)) continue;
    const Description& check = tasks_[index].check;
    const auto left = budget_end_ - Clock::now();
    if (left < ticks(check.typical_seconds))
      end(index, Outcome::out_of_budget,
          fmt::format("takes about {:.3g} s, and of the budget {:.3g} s are left", check.typical_seconds,
                      std::max(0.0, seconds(left))));
    else if (fits(check))
      start(index, true);
  }
  for (std::size_t index = 0; index < tasks_.size(); ++index)
    if (pending(index) && may_prepare(tasks_[index].check)) start(index, false);
}

bool CheckScheduler::fits(const Description& check) const {
  return std::ranges::all_of(
      running_, [&](const Running& other) { return other.gate || side_by_side(check, tasks_[other.index].check); });
}

bool CheckScheduler::may_prepare(const Description& check) const {
  const auto leaves_room = [](Resource resource) { return resource == Resource::disk || resource == Resource::memory; };
  return check.prepares && std::ranges::all_of(running_, [&](const Running& other) {
           return !other.gate && std::ranges::all_of(tasks_[other.index].check.resources, leaves_room);
         });
}

void CheckScheduler::give_turns() {
  for (Running& running : running_) {
    if (!running.gate || !fits(tasks_[running.index].check)) continue;
    running.gate->give_turn();
    running.gate.reset();
  }
}

void CheckScheduler::start(std::size_t index, bool is_turn) {
  const Task& task = tasks_[index];
  const auto folder = folder_.path() / fmt::format("{}-{}", index, task.check.name);
  CheckRun run = report_.facts(index);
  run.outcome = Outcome::running;
  run.started = results::utc_now();
  report_.update(index, run);
  try {
    std::filesystem::create_directory(folder);
    const auto now = Clock::now();
    // What waits has its time afterwards.
    const auto deadline = std::min(now + (is_turn ? 1 : 2) * time_limit(), budget_end_);
    std::optional<Gate> gate;
    if (!is_turn) gate.emplace(folder / turn_file);
    running_.push_back({.index = index,
                        .started = now,
                        .deadline = deadline,
                        .limited_by_budget = deadline == budget_end_,
                        .folder = folder,
                        .gate = std::move(gate),
                        .guard = Guard(arguments(task, folder, seconds(deadline - now), is_turn), deadline)});
  } catch (const std::system_error& error) {
    end(index, Outcome::error, error.what());
  }
}

std::vector<std::string> CheckScheduler::arguments(const Task& task, const std::filesystem::path& folder,
                                                   double limit_seconds, bool is_turn) const {
  std::vector<std::string> words;
  if (task.check.scope == Scope::ranks)
    words = mpirun({.hosts = {}, .ranks_on_each = std::max<std::size_t>(2, setup_.machine.gpu_count)}, folder);
  words.insert(words.end(), {(bin_ / executable_name(task.check.name)).string(), "--quiet"});
  const auto add = [&](std::string_view option, std::string_view value) {
    words.emplace_back(option);
    words.emplace_back(value);
  };
  add("--report", (folder / "report.json").string());
  add("--profile", setup_.wanted_profile);
  add("--root", setup_.sysfs.root().string());
  auto settings = setup_.settings;
  settings.scratch = folder;
  std::ranges::move(to_arguments(settings), std::back_inserter(words));
  if (!is_turn) add("--turn", (folder / turn_file).string());
  add("--timeout", fmt::format("{}", (is_job(task.check.scope) ? share_of_a_job : share_of_others) * limit_seconds));
  for (const auto& [label, value] : task.component) add("--" + label, value);
  return words;
}

Clock::duration CheckScheduler::time_limit() const {
  return ticks(options_.timeout_seconds.value_or(default_timeout_seconds(options_.common.settings.tier)));
}

void CheckScheduler::wait() {
  std::vector<pollfd> wanted{{.fd = signals_.descriptor(), .events = POLLIN, .revents = 0}};
  auto wake = Clock::time_point::max();
  for (const Running& running : running_) {
    wanted.push_back({.fd = running.guard.descriptor(), .events = POLLIN, .revents = 0});
    wake = std::min(wake, running.deadline + guard_time);
  }
  if (progress_.live()) wake = std::min(wake, Clock::now() + frame_time);
  poll(wanted.data(), wanted.size(), milliseconds_until(wake));
  for (std::size_t at = running_.size(); at-- > 0;) {
    if (wanted[at + 1].revents != 0) {
      Running ended = std::move(running_[at]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
      collect(ended);
    } else if (Clock::now() >= running_[at].deadline + guard_time) {
      running_[at].guard.kill();
    }
  }
  heed_signals();
  show_status();
}

void CheckScheduler::collect(Running& running) {
  CheckRun run = report_.facts(running.index);
  const ProcessExit ending = running.guard.ending();
  if (ending.kind == ProcessExit::Kind::lost) kill_orphans(spared());
  run.duration_seconds = seconds(Clock::now() - running.started);
  end(running.index, run_of_child(run, {.ending = ending,
                                        .report = running.folder / "report.json",
                                        .limit_seconds = seconds(running.deadline - running.started),
                                        .limited_by_budget = running.limited_by_budget}));
  std::error_code ignored;
  std::filesystem::remove_all(running.folder, ignored);
}

void CheckScheduler::heed_signals() {
  while (const auto signal = signals_.next()) {
    if (std::exchange(stopped_, true)) continue;
    for (const Running& running : running_) running.guard.stop();
    end_pending(Outcome::interrupted, "muster was told to stop");
  }
}

void CheckScheduler::show_status() {
  if (!progress_.live() || running_.empty()) return;
  std::vector<Elapsed> elapsed;
  for (const Running& running : running_)
    elapsed.push_back({.name = tasks_[running.index].check.name, .seconds = seconds(Clock::now() - running.started)});
  const std::size_t open = report_.count(Outcome::pending) + report_.count(Outcome::running);
  progress_.status(status_line(elapsed, report_.size() - open, report_.size()));
}

std::vector<pid_t> CheckScheduler::spared() const {
  std::vector<pid_t> pids = strangers_;
  for (const Running& running : running_) pids.push_back(running.guard.pid());
  return pids;
}

}  // namespace muster::healthcheck
