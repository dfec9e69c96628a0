// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "healthcheck/fleet/decide.hpp"
#include "healthcheck/fleet/kubernetes_api.hpp"
#include "healthcheck/fleet/lookout.hpp"
#include "healthcheck/node/signals.hpp"

namespace muster::healthcheck::fleet {

constexpr double between_looks = 1;

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

// Looks each second until there is a verdict, until waiting is of no use, until `wait_seconds` are over or `stop` is
// told. What is not the launcher's verdict is unknown, with the best reason there is.
Verdict wait_for_verdict(const Server& server, const Wanted& wanted, double wait_seconds, Stop& stop);

// "there is no job a in namespace b"
std::string absent(const Wanted& wanted, bool was_seen);

}  // namespace muster::healthcheck::fleet
