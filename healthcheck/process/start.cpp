// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/start.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "benchmarks/ranks/launcher.hpp"

namespace muster::healthcheck {
namespace {

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool redirect(int output) {
  const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
         dup2(output, STDERR_FILENO) >= 0;
}

// A check is no rank of a job that this program may be started in: neither by its variables ...
std::vector<char*> environment_outside_jobs() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!benchmarks::is_of_launcher(*variable)) variables.push_back(*variable);
  variables.push_back(nullptr);
  return variables;
}

// ... nor bound to the CPUs that the launcher gave a rank. The kernel takes all that there are, less those that a
// container must not use.
void leave_cpus_of_rank() {
  if (!benchmarks::told_rank(environ)) return;
  cpu_set_t every;
  std::memset(&every, 0xff, sizeof every);
  sched_setaffinity(0, sizeof every, &every);
}

// Returns only when the command cannot be executed.
void execute(const std::vector<std::string>& command, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setsid();
  reset_signals();
  leave_cpus_of_rank();
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (redirect(output)) execve(arguments[0], arguments.data(), environment_outside_jobs().data());
}

}  // namespace

Started start(const std::vector<std::string>& command) {
  Pipe errors = make_pipe();
  Pipe output = make_pipe();
  fcntl(output.read.number(), F_SETFL, O_NONBLOCK);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return {.pid = -1, .reason = std::generic_category().message(errno), .output = {}};
  if (pid == 0) {
    execute(command, output.write.number(), parent);
    const int error = errno;
    _exit(::write(errors.write.number(), &error, sizeof error) == sizeof error ? 127 : 126);
  }
  errors.write = Descriptor();
  int error = 0;
  if (read(errors.read.number(), &error, sizeof error) != sizeof error)
    return {.pid = pid, .reason = {}, .output = std::move(output.read)};
  waitpid(pid, nullptr, 0);
  return {.pid = -1,
          .reason = fmt::format("{}: {}", command.front(), std::generic_category().message(error)),
          .output = {}};
}

}  // namespace muster::healthcheck
