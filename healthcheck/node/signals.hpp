// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <chrono>
#include <initializer_list>
#include <optional>

#include "healthcheck/descriptor.hpp"

namespace muster::healthcheck {

// Blocks signals and makes them readable; its end drops those that still wait and restores the mask.
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

// For poll(): what is left until `time` in milliseconds, rounded up, 0 when it is over and at most an hour.
int milliseconds_until(std::chrono::steady_clock::time_point time);

}  // namespace muster::healthcheck
