// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/kubernetes/kubernetes_api.hpp"
#include "healthcheck/marks/node_mark.hpp"
#include "healthcheck/program/stop.hpp"

namespace muster::healthcheck::fleet {

// How many nodes one report may mark anew: neither more than so many nor more than this share of all; but one always.
struct MarkLimit {
  std::size_t count = 3;
  double share = 0.05;

  std::size_t of(std::size_t nodes) const;
};

// What a report of a fleet asks for.
struct MarkPlan {
  struct Marking {
    std::string node;
    UnfitMark mark;
  };
  std::vector<Marking> to_mark;        // those that failed
  std::vector<std::string> to_unmark;  // those that were marked and passed, or only warn
  std::vector<std::string> to_keep;    // marked, and neither: nobody knows
  std::size_t anew = 0;                // of to_mark, those that are not marked yet
};

// Why a report says nothing of the fleet as it is now: it is older than that, or from the future, as where a clock is
// off.
std::optional<std::string> outdated(const FleetReport& report, std::chrono::system_clock::time_point now,
                                    double oldest_hours);

// A node that left no report, or that nobody expected, is not marked: nobody knows what is wrong with it.
MarkPlan planned(const FleetReport& report, const std::set<std::string>& marked, const std::string& effect);

struct MarkOptions {
  MarkLimit cap;
  std::string effect = "NoSchedule";
  bool apply = false;  // else it is only said
  double wait_seconds = 120;
  bool condition = false;           // tells each node's condition MusterFit
  double oldest_hours = 24;         // after which that is Unknown
  bool events = false;              // makes an Event of each node that is marked, or not any more, or opened
  std::optional<std::string> gate;  // key of the taint of nodes that nobody has tested yet
};

// Marks and unmarks nodes by the report, opens the gate of those that passed, tells conditions, and says each change by
// `say`. True where all of it is done, or would be; false where the cap forbids it, and then nothing is marked and no
// condition becomes False, or where a node could not be changed within the time.
bool act(const Server& server, const FleetReport& report, const MarkOptions& wanted, Stop& stop,
         const std::function<void(const std::string&)>& say);

// Tells all conditions that are older than is wanted that they are Unknown. False where one could not be told.
bool outdate_conditions(const Server& server, const MarkOptions& wanted, Stop& stop,
                        const std::function<void(const std::string&)>& say);

}  // namespace muster::healthcheck::fleet
