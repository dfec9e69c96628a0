// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// How a child process came to its end.
struct ProcessExit {
  enum class Kind {
    exited,       // code is the exit status
    signalled,    // code is the signal
    not_started,  // words are the system's or the loader's own
    timed_out,    // words are the kernel function it was in, code is the signal that ended it (0: nothing did)
    interrupted,  // the caller was told to stop
    hopeless,     // it had printed that it would not come to its end
    lost,         // its guard was killed or failed, words say why when it is known
  };
  Kind kind = Kind::lost;
  int code = 0;
  std::string words;
  std::string last_line;  // of what it printed
  std::string said = {};  // the first 32 KiB and the last 4 KiB of what it printed

  bool operator==(const ProcessExit&) const = default;
};

// What the guards' promise costs at most after a deadline: SIGTERM, `term_timeout`, SIGKILL, `kill_timeout` for a
// process that the kernel does not let go.
inline constexpr std::chrono::milliseconds term_timeout{1000};
inline constexpr std::chrono::milliseconds kill_timeout{700};

// Whether a command will not come to its end by itself, by what it has printed so far.
using IsHopeless = std::function<bool(std::string_view said)>;

// How long a command that is hopeless may prove the contrary.
inline constexpr std::chrono::milliseconds hopeless_timeout{1000};

// Runs the command (its first word is the path of an executable) until it and every process it left behind are gone:
// SIGTERM at the deadline, where it is hopeless, or when SIGTERM comes, SIGKILL after the grace, and SIGKILL at once
// when the process `parent` is no longer the caller's parent. The caller must be a process of its own (see Guard): it
// becomes a subreaper and keeps no other children.
ProcessExit supervise(const std::vector<std::string>& command, std::chrono::steady_clock::time_point deadline,
                      pid_t parent, const IsHopeless& is_hopeless);

}  // namespace muster::healthcheck
