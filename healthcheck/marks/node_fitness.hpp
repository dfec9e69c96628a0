// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "healthcheck/fleet/fleet_report.hpp"
#include "healthcheck/kubernetes/kubernetes_nodes.hpp"

namespace muster::healthcheck::fleet {

// The worst that its report says of a node, in one sentence; these words where it says nothing.
std::string worst_sentence(const FleetNode& node, std::string otherwise);

// What a report of a fleet, made at this time, says of one of its nodes; nothing where it says nothing new: of a node
// that was skipped, and of one that keeps its mark.
std::optional<NodeCondition> fitness(const FleetNode& node, const std::string& made, bool is_marked);

// Unknown, for one that was told longer ago than that; nothing for one that is younger or Unknown already.
std::optional<NodeCondition> outdated_fitness(const NodeCondition& told, std::chrono::system_clock::time_point now,
                                              double oldest_hours);

// Whether a node that has the one must be told the other.
bool is_news(const NodeCondition& wanted, const std::optional<NodeCondition>& before);

// The strategic merge patch of a node's status that tells it. `since` is that of `before` where the status is the same.
std::string condition_patch(NodeCondition wanted, const std::optional<NodeCondition>& before);

// What `kubectl describe node` shows once for each run of muster.
struct NodeEvent {
  bool is_warning = false;
  std::string reason;   // one word, such as MusterUnfit
  std::string message;  // one sentence
  std::string run_id;   // of the report of the fleet
  std::string time;     // RFC 3339
};

// An Event of the namespace default. Its name is made of node, reason and run, so that it is made once.
std::string to_json(const NodeEvent& event, const NodeState& node);

}  // namespace muster::healthcheck::fleet
