// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/guard.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/signals.hpp"

namespace muster::healthcheck {
namespace {

struct Head {
  ProcessExit::Kind kind = ProcessExit::Kind::lost;
  int code = 0;
  std::array<std::size_t, 3> sizes{};  // of the texts that follow
};

// Longer than a pipe holds at once; the parent reads it as soon as it begins.
void send(const Descriptor& pipe, const ProcessExit& ending) {
  const Head head{.kind = ending.kind,
                  .code = ending.code,
                  .sizes = {ending.words.size(), ending.last_line.size(), ending.said.size()}};
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes += ending.words + ending.last_line + ending.said;
  for (std::string_view left = bytes; !left.empty();) {
    const auto written = ::write(pipe.number(), left.data(), left.size());
    if (written < 0) _exit(1);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

// So many bytes; fewer where the guard was killed before it had written them.
std::string received(const Descriptor& pipe, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const auto size = read(pipe.number(), bytes.data() + got, count - got);
    if (size == 0 || (size < 0 && errno != EINTR)) break;
    got += static_cast<std::size_t>(std::max<ssize_t>(size, 0));
  }
  bytes.resize(got);
  return bytes;
}

ProcessExit receive(const Descriptor& pipe) {
  Head head;
  const auto beginning = received(pipe, sizeof head);
  if (beginning.size() < sizeof head) return {};
  std::memcpy(&head, beginning.data(), sizeof head);
  const auto& [words, last_line, said] = head.sizes;
  const auto texts = received(pipe, words + last_line + said);
  if (texts.size() < words + last_line + said) return {};
  return {.kind = head.kind,
          .code = head.code,
          .words = texts.substr(0, words),
          .last_line = texts.substr(words, last_line),
          .said = texts.substr(words + last_line)};
}

ProcessExit guarded(const std::vector<std::string>& command, std::chrono::steady_clock::time_point deadline,
                    pid_t parent, const IsHopeless& is_hopeless) {
  try {
    return supervise(command, deadline, parent, is_hopeless);
  } catch (const std::exception& error) {
    return {.kind = ProcessExit::Kind::lost, .code = 0, .words = error.what(), .last_line = {}};
  }
}

// Blocks every signal, so that none comes between a fork and what the new process does about signals.
class AllBlocked {
 public:
  AllBlocked() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before_);
  }
  ~AllBlocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  AllBlocked(const AllBlocked&) = delete;
  AllBlocked& operator=(const AllBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Guard::Guard(const std::vector<std::string>& command, std::chrono::steady_clock::time_point deadline,
             const IsHopeless& is_hopeless) {
  Pipe pipe = make_pipe();
  const AllBlocked blocked;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start another process");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_NAME, "muster-guard");
    if (getppid() == parent) send(pipe.write, guarded(command, deadline, parent, is_hopeless));
    _exit(0);
  }
  pid_ = child;
  pipe_ = std::move(pipe.read);
}

Guard::Guard(Guard&& other) noexcept : pid_(std::exchange(other.pid_, -1)), pipe_(std::move(other.pipe_)) {}

Guard& Guard::operator=(Guard&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pipe_, other.pipe_);
  return *this;
}

Guard::~Guard() {
  if (pid_ < 0) return;
  stop();
  pollfd wanted{.fd = descriptor(), .events = POLLIN, .revents = 0};
  if (poll(&wanted, 1, milliseconds_until(std::chrono::steady_clock::now() + 2 * term_timeout)) == 0) kill();
  waitpid(pid_, nullptr, 0);
}

void Guard::stop() const {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
}

void Guard::kill() const {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

ProcessExit Guard::ending() {
  if (pid_ < 0) return {};
  ProcessExit ending = receive(pipe_);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  return ending;
}

}  // namespace muster::healthcheck
