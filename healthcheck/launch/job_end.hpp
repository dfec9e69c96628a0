// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/launch/way_back.hpp"
#include "healthcheck/process/guard.hpp"
#include "healthcheck/program/signals.hpp"
#include "healthcheck/run/report_inbox.hpp"

namespace muster::healthcheck {

// How a job came to its end, and the letters that it sent.
struct JobEnd {
  ProcessExit ending;                                  // of mpirun
  std::optional<std::string> letter;                   // a report, or why MPI did not start
  bool was_stuck = false;                              // mpirun did not end by itself after that
  std::vector<std::vector<std::string>> waiting = {};  // addresses of hosts on which MPI waited for other ranks
};

// Waits for the end of mpirun, which a signal brings, and for the report, which may come a little later. An mpirun that
// does not end within 2 s after the report, or within 0.3 s after a rank gave up the start, is stopped. So is one whose
// daemons have no way back, which may be null where hosts cannot be asked.
JobEnd wait_for_end(Guard& mpirun, ReportInbox& inbox, WayBack* way_back, Signals& signals);

}  // namespace muster::healthcheck
