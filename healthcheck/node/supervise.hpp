// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace muster::healthcheck {

struct Command {
  std::vector<std::string> arguments;  // arguments[0] is the executable's path
  std::filesystem::path output;        // where its stdout and stderr go
};

// How a child process came to its end.
struct Ending {
  enum class Kind {
    exited,       // code is the exit status
    signalled,    // code is the signal
    not_started,  // words are the system's or the loader's own
    timed_out,    // words are the kernel function it was in, code is the signal that ended it (0: nothing did)
    interrupted,  // the caller was told to stop
  };
  Kind kind = Kind::not_started;
  int code = 0;
  std::string words;

  bool operator==(const Ending&) const = default;
};

// Runs the command until it and every process it left behind are gone: SIGTERM at the deadline, SIGKILL one second
// later. The caller must be a process of its own (see Guard): it becomes a subreaper and blocks SIGTERM and SIGCHLD.
Ending supervise(const Command& command, std::chrono::steady_clock::time_point deadline);

}  // namespace muster::healthcheck
