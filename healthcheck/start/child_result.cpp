// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/child_result.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "results/json/report_json.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck {
namespace {

using results::CheckRun;
using results::Outcome;

struct Told {
  std::optional<CheckRun> run;
  std::string problem;  // why there is no run
};

Told untold(std::string problem) { return {.run = std::nullopt, .problem = std::move(problem)}; }

Told read_told(const std::filesystem::path& file, const std::string& check) {
  if (!std::filesystem::exists(file)) return untold("there is none");
  try {
    const results::Report report = results::report_from_json(results::read_text(file));
    if (std::ranges::count(report.checks, check, &CheckRun::check) != 1) return untold("it holds no run of this check");
    return {.run = *std::ranges::find(report.checks, check, &CheckRun::check), .problem = {}};
  } catch (const std::exception& error) {
    return untold(error.what());
  }
}

std::string signal_name(int number) {
  const char* description = sigdescr_np(number);
  return fmt::format("signal {} ({})", number, description != nullptr ? description : "unknown");
}

std::string with_last_words(std::string sentence, const std::string& line) {
  return line.empty() ? sentence : fmt::format("{}; its last words: {}", sentence, line);
}

std::string crash_reason(const CheckRun& run, int signal) {
  return fmt::format("killed by {}{}{}", signal_name(signal), run.phase.empty() ? "" : " while: ", run.phase) +
         (signal == SIGKILL ? "; see the kernel log: it kills so when memory runs out" : "");
}

// Where the kernel keeps a process that waits for another one, for a time, or for input: none is of a device.
bool is_of_waiting(std::string_view function) {
  constexpr std::array beginnings{"futex_",       "do_futex",        "do_wait",    "kernel_wait4", "do_poll",
                                  "do_sys_poll",  "poll_sched",      "do_select",  "core_sys_sel", "ep_poll",
                                  "do_epoll",     "pipe_",           "anon_pipe",  "hrtimer_nan",  "do_nanosleep",
                                  "common_nsle",  "do_sigtimedwait", "sigsuspend", "unix_stream",  "sk_wait",
                                  "inet_csk_acc", "do_signal_st",    "wait_woken", "do_sys_pause"};
  return std::ranges::any_of(beginnings, [&](std::string_view each) { return function.starts_with(each); });
}

std::string place_of(const ProcessExit& ending) {
  if (ending.words.empty()) return " outside the kernel or in an unknown place of it";
  if (is_of_waiting(ending.words)) return ", waiting for another process, for input or for a time";
  return fmt::format(" in kernel function {}", ending.words);
}

std::string time_out_reason(const CheckRun& run, const ChildResult& remains) {
  return fmt::format("did not end within {:.3g} s{}, hung{}{}{}", remains.limit_seconds,
                     remains.limited_by_budget ? ", what was left of the budget" : "",
                     run.phase.empty() ? "" : fmt::format(" in phase '{}'", run.phase), place_of(remains.ending),
                     remains.ending.code == 0 ? "; it could not be killed" : "");
}

constexpr int refused = 2;

std::string exit_reason(int code, const Told& told, bool said) {
  if (code == refused) return "refused its options";
  if (!told.run) return fmt::format("exited with {} and wrote no valid report: {}", code, told.problem);
  return fmt::format("exited with {}{}", code, said ? ", which no check does" : " before it finished");
}

void settle(CheckRun& run, Outcome outcome, std::string reason) {
  run.outcome = outcome;
  run.reason = std::move(reason);
}

// A child that exited tells its outcome itself, and must have said one.
void settle_exit(CheckRun& run, const Told& told, const ChildResult& remains) {
  constexpr std::array reporting{0, 1, 3, 77};
  const int code = remains.ending.code;
  const bool said =
      run.outcome == Outcome::finished || run.outcome == Outcome::skipped || run.outcome == Outcome::error;
  if (told.run && said && std::ranges::find(reporting, code) != reporting.end()) return;
  settle(run, Outcome::error, with_last_words(exit_reason(code, told, said), remains.ending.last_line));
}

}  // namespace

CheckRun run_of_child(const CheckRun& running, const ChildResult& remains) {
  const Told told = read_told(remains.report, running.check);
  CheckRun run = told.run.value_or(running);
  run.host = running.host;
  run.component = running.component;
  run.attempt = running.attempt;
  if (run.started.empty()) run.started = running.started;
  if (remains.ending.kind != ProcessExit::Kind::exited || run.duration_seconds == 0)
    run.duration_seconds = running.duration_seconds;
  // A job in trouble says so itself; how mpirun ends after that tells less.
  if (run.outcome == Outcome::crashed || run.outcome == Outcome::timed_out) return run;
  const ProcessExit& ending = remains.ending;
  switch (ending.kind) {
    case ProcessExit::Kind::exited:
      settle_exit(run, told, remains);
      break;
    case ProcessExit::Kind::signalled:
      settle(run, Outcome::crashed, crash_reason(run, ending.code));
      break;
    case ProcessExit::Kind::not_started:
      settle(run, Outcome::not_started, fmt::format("could not be started: {}", ending.words));
      break;
    case ProcessExit::Kind::timed_out:
      settle(run, Outcome::timed_out, time_out_reason(run, remains));
      if (!is_of_waiting(ending.words)) run.kernel_function = ending.words;
      break;
    case ProcessExit::Kind::interrupted:
      settle(run, Outcome::interrupted, "muster was told to stop");
      break;
    case ProcessExit::Kind::hopeless:
      settle(run, Outcome::error, "it waited without end");
      break;
    case ProcessExit::Kind::lost:
      settle(run, Outcome::error,
             ending.words.empty() ? "its guard was killed" : fmt::format("its guard failed: {}", ending.words));
      break;
  }
  return run;
}

}  // namespace muster::healthcheck
