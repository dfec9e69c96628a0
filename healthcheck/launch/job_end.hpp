// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "healthcheck/process/guard.hpp"
#include "healthcheck/program/signals.hpp"
#include "healthcheck/run/report_inbox.hpp"

namespace muster::healthcheck {

// How a job came to its end, and the letter that it sent: a report, or why it did not start.
struct JobEnd {
  ProcessExit ending;  // of mpirun
  std::optional<std::string> letter;
  bool was_stuck = false;  // mpirun did not end by itself after that
};

// Waits for the end of mpirun, which a signal brings, and for the report, which may come a little later. An mpirun that
// does not end 2 s after the report has come is stopped.
JobEnd wait_for_end(Guard& mpirun, ReportInbox& inbox, Signals& signals);

}  // namespace muster::healthcheck
