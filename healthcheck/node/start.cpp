// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/start.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "healthcheck/node/descriptor.hpp"

namespace muster::healthcheck {
namespace {

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool redirect(const std::filesystem::path& output) {
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  return in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
         dup2(out, STDERR_FILENO) >= 0;
}

// Returns only when the command cannot be executed.
void execute(const Command& command, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setsid();
  reset_signals();
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  if (redirect(command.output)) execv(arguments[0], arguments.data());
}

}  // namespace

Started start(const Command& command) {
  Pipe errors = make_pipe();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return {.pid = -1, .reason = std::generic_category().message(errno)};
  if (pid == 0) {
    execute(command, parent);
    const int error = errno;
    _exit(write(errors.write.number(), &error, sizeof error) == sizeof error ? 127 : 126);
  }
  errors.write = Descriptor();
  int error = 0;
  if (read(errors.read.number(), &error, sizeof error) != sizeof error) return {.pid = pid, .reason = {}};
  waitpid(pid, nullptr, 0);
  return {.pid = -1, .reason = std::generic_category().message(error)};
}

}  // namespace muster::healthcheck
