// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <initializer_list>
#include <optional>

#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {

// What a user, a terminal, a resource manager or a timer ends a program with, and a program can heed.
inline constexpr std::initializer_list<int> ending_signals{SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,   SIGUSR1,
                                                           SIGUSR2, SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF};

// Blocks signals, but for those that this process ignores, and makes them readable; its end drops those that still wait
// and restores the mask.
class Signals {
 public:
  // Throws std::system_error.
  explicit Signals(std::initializer_list<int> signals);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int descriptor() const { return descriptor_.number(); }
  // A signal that has arrived; nothing when none has.
  std::optional<int> next();

 private:
  sigset_t before_{};
  Descriptor descriptor_;
};

}  // namespace muster::healthcheck
