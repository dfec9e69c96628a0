// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/supervise.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "healthcheck/process/start.hpp"
#include "healthcheck/process/tail.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/signals.hpp"
#include "topology/kernel/processes.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

// The dynamic loader's words when it is what ended the program (it exits 127, or 1 for a missing symbol version).
std::optional<std::string> loader_words(int code, const std::string& line) {
  if (code != 127 && code != 1) return std::nullopt;
  for (const std::string_view words :
       {"error while loading shared libraries: ", "symbol lookup error: ", ": version `"})
    if (const auto at = line.find(words); at != std::string::npos) return line.substr(words[0] == ':' ? 0 : at);
  return std::nullopt;
}

class Supervision {
 public:
  Supervision(Started child, pid_t parent, const IsHopeless& is_hopeless)
      : child_(child.pid), parent_(parent), output_(std::move(child.output)), is_hopeless_(is_hopeless) {}

  std::optional<int> status() const { return status_; }
  const Tail& output() const { return output_; }
  bool told_to_stop() const { return told_to_stop_; }
  bool is_hopeless() const { return Clock::now() >= hope_ends_; }

  // Returns when the child has ended, or is hopeless, when SIGTERM has come, or at `time`.
  void wait_until(Clock::time_point time) {
    while (look(), hear(), !status_ && !told_to_stop_ && !is_hopeless() && Clock::now() < time)
      sleep_until(std::min(time, hope_ends_));
  }

  // SIGTERM, the grace, then SIGKILL for whatever is left; without the first two when the parent has died.
  void end() {
    if (!orphaned()) signal_all(SIGTERM);
    const auto time = Clock::now() + term_timeout;
    while (look(), !status_ && !orphaned() && Clock::now() < time) sleep_until(time);
    sweep();
  }

  // SIGKILL until no descendant is left, or the timeout ends.
  void sweep() {
    const auto time = Clock::now() + kill_timeout;
    while (!look() && Clock::now() < time) {
      signal_all(SIGKILL);
      sleep_until(std::min(time, Clock::now() + std::chrono::milliseconds(10)));
    }
    output_.read();
  }

  std::optional<std::string> kernel_function() const { return topology::kernel_function(live_, child_); }

 private:
  bool orphaned() const { return getppid() != parent_; }

  // Takes note of signals, words and ended children; true when there are no descendants any more.
  bool look() {
    while (const auto signal = signals_.next()) told_to_stop_ = told_to_stop_ || *signal == SIGTERM;
    output_.read();
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
      if (pid == child_) status_ = status;
    return pid < 0 && errno == ECHILD;
  }

  void hear() {
    if (!is_hopeless_ || output_.count() == heard_ || hope_ends_ != Clock::time_point::max()) return;
    heard_ = output_.count();
    if (is_hopeless_(output_.said())) hope_ends_ = Clock::now() + hopeless_timeout;
  }

  void sleep_until(Clock::time_point time) const {
    std::array<pollfd, 2> wanted{{{.fd = signals_.descriptor(), .events = POLLIN, .revents = 0},
                                  {.fd = output_.descriptor(), .events = POLLIN, .revents = 0}}};
    poll(wanted.data(), wanted.size(), milliseconds_until(time));
  }

  void signal_all(int signal) const {
    for (const int pid : topology::descendants(topology::processes(live_), getpid())) kill(pid, signal);
  }

  topology::Sysfs live_;
  Signals signals_{SIGTERM, SIGCHLD};
  pid_t child_;
  pid_t parent_;
  Tail output_;
  const IsHopeless& is_hopeless_;
  std::size_t heard_ = 0;  // bytes of the output
  Clock::time_point hope_ends_ = Clock::time_point::max();
  std::optional<int> status_;
  bool told_to_stop_ = false;
};

ProcessExit natural_end(int status, const Tail& output) {
  auto line = last_words(output.text());
  if (WIFSIGNALED(status))
    return {.kind = ProcessExit::Kind::signalled, .code = WTERMSIG(status), .words = {}, .last_line = std::move(line)};
  const int code = WEXITSTATUS(status);
  if (auto words = loader_words(code, line))
    return {
        .kind = ProcessExit::Kind::not_started, .code = code, .words = std::move(*words), .last_line = std::move(line)};
  return {.kind = ProcessExit::Kind::exited, .code = code, .words = {}, .last_line = std::move(line)};
}

int ending_signal(std::optional<int> status) {
  if (!status) return 0;
  return WIFSIGNALED(*status) ? WTERMSIG(*status) : SIGTERM;
}

ProcessExit::Kind kind_of_end(const Supervision& supervision) {
  if (supervision.told_to_stop()) return ProcessExit::Kind::interrupted;
  return supervision.is_hopeless() ? ProcessExit::Kind::hopeless : ProcessExit::Kind::timed_out;
}

}  // namespace

ProcessExit supervise(const std::vector<std::string>& command, Clock::time_point deadline, pid_t parent,
                      const IsHopeless& is_hopeless) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (const int heard : {SIGCHLD, SIGTERM}) signal(heard, SIG_DFL);  // whatever those who started muster ignore
  Started started = start(command);
  if (started.pid < 0)
    return {.kind = ProcessExit::Kind::not_started, .code = 0, .words = started.reason, .last_line = {}};
  Supervision supervision(std::move(started), parent, is_hopeless);
  supervision.wait_until(deadline);
  if (const auto status = supervision.status()) {
    supervision.sweep();
    auto ending = natural_end(*status, supervision.output());
    ending.said = supervision.output().said();
    return ending;
  }
  const auto kind = kind_of_end(supervision);
  const auto function = supervision.kernel_function();
  supervision.end();
  return {.kind = kind,
          .code = ending_signal(supervision.status()),
          .words = function.value_or(""),
          .last_line = last_words(supervision.output().text()),
          .said = supervision.output().said()};
}

}  // namespace muster::healthcheck
