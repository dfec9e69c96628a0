// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "healthcheck/fleet/decide.hpp"
#include "healthcheck/fleet/kubernetes_api.hpp"
#include "healthcheck/fleet/lookout.hpp"
#include "healthcheck/node/signals.hpp"

namespace muster::healthcheck::fleet {

// SIGTERM or SIGINT has come.
class Stop {
 public:
  bool is_told();
  int descriptor() const { return signals_.descriptor(); }

 private:
  Signals signals_{SIGTERM, SIGINT};
  bool is_told_ = false;
};

// Looks each second until there is a verdict, until waiting is of no use, until `wait_seconds` are over or `stop` is
// told. What is not the launcher's verdict is unknown, with the best reason there is.
Verdict wait_for_verdict(const Server& server, const Wanted& wanted, double wait_seconds, Stop& stop);

}  // namespace muster::healthcheck::fleet
