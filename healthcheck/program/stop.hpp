// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <chrono>

#include "healthcheck/program/signals.hpp"

namespace muster::healthcheck {

// SIGTERM or SIGINT has come.
class Stop {
 public:
  bool is_told();
  // Or the time has.
  void wait_until(std::chrono::steady_clock::time_point time) const;

 private:
  Signals signals_{SIGTERM, SIGINT};
  bool is_told_ = false;
};

}  // namespace muster::healthcheck
