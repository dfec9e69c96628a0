// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/kubernetes/kubernetes_api.hpp"

namespace muster::healthcheck::fleet {

// A node of Kubernetes, as far as a test of it cares.
struct KubernetesNode {
  std::string name;
  std::string obstacle;  // why no pod can be started there; empty when one can
};

// What a condition of a node says.
struct NodeCondition {
  std::string status;   // True, False or Unknown
  std::string reason;   // one word, such as IbPortDown
  std::string message;  // one sentence
  std::string since;    // RFC 3339: when the status became so
  std::string told;     // RFC 3339: when it was last known

  bool operator==(const NodeCondition&) const = default;
};

// What keeps work away from a node of Kubernetes: a label and a taint of this name, whose value is the fault.
constexpr std::string_view unfit = "muster/unfit";

// The condition of a node of Kubernetes by which muster tells whether it is fit: True, False or Unknown.
constexpr std::string_view fit_condition = "MusterFit";

// A node of Kubernetes, as far as muster tells others of it.
struct NodeState {
  std::string name, uid;
  bool is_marked = false;                // with the label muster/unfit
  std::vector<std::string> taints;       // their keys
  std::optional<NodeCondition> fitness;  // the condition MusterFit; nothing where it has none
};

// Those of the labels, as kubectl takes them; empty for all. Throws as KubernetesApi::list does, and results::Error
// when an answer is no list of nodes.
std::vector<KubernetesNode> kubernetes_nodes(KubernetesApi& api, const std::string& selector);
std::vector<NodeState> node_states(KubernetesApi& api, const std::string& selector);

// A pod of somebody's work for each node that has one, "NAMESPACE/NAME" by the name of the node. No work are pods that
// have ended, those of DaemonSets, of the node itself (static ones), of kube-system and of nights, and the own one.
// Throws as kubernetes_nodes does.
using Work = std::map<std::string, std::string>;
Work work_on_nodes(KubernetesApi& api, const std::string& own);

}  // namespace muster::healthcheck::fleet
