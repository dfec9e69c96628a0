// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/fleet/fleet_report.hpp"

namespace muster::healthcheck::fleet {

// A node that did not pass; every text is plain and short.
struct ToldNode {
  std::string name;
  results::Status status = results::Status::unknown;
  std::string state;                 // its status, or "missing" or "skipped"
  std::string before;                // that of the report before; empty where there is none
  std::string check, metric, fault;  // of its worst problem; empty where it has none
  std::string reason;                // one sentence
};

// What a listener is told of a night.
struct FleetEvent {
  std::string id;      // the run's: the same night has the same, however often it is told
  std::string source;  // whose night it is, as a URI-reference
  std::string made;    // RFC 3339 UTC
  std::string version;
  results::Status status = results::Status::unknown;
  std::string summary;                        // one sentence
  std::map<std::string, std::size_t> counts;  // of nodes, by state
  std::size_t nodes = 0, gone = 0;
  std::vector<ToldNode> unwell;  // worst first, and not more than most_told_nodes
  std::size_t left_out = 0;      // nodes that did not pass and are not among them
};

inline constexpr std::size_t most_told_nodes = 40;  // so that an event has less than the 64 KB that CloudEvents allows

// Throws UsageError where the run's id cannot be that of an event, the time is not known, or the source is no
// URI-reference.
FleetEvent event_of(const FleetReport& report, const std::string& source);

// As JSON in the structured mode of CloudEvents 1.0, by results/event.schema.json.
std::string to_json(const FleetEvent& event);

// The type of each of them.
inline constexpr std::string_view event_type = "muster.fleet.report";

}  // namespace muster::healthcheck::fleet
