// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "healthcheck/kubernetes/kubernetes_api.hpp"

namespace muster::healthcheck::fleet {

// A node of Kubernetes, as far as a test of it cares.
struct KubernetesNode {
  std::string name;
  std::string obstacle;  // why no pod can be started there; empty when one can
};

// Those of the labels, as kubectl takes them; empty for all. Throws as KubernetesApi::list does, and results::Error
// when an answer is no list of nodes.
std::vector<KubernetesNode> kubernetes_nodes(KubernetesApi& api, const std::string& selector);

// A pod of somebody's work for each node that has one, "NAMESPACE/NAME" by the name of the node. No work are pods that
// have ended, those of DaemonSets, of the node itself (static ones), of kube-system and of nights, and the own one.
// Throws as kubernetes_nodes does.
using Work = std::map<std::string, std::string>;
Work work_on_nodes(KubernetesApi& api, const std::string& own);

}  // namespace muster::healthcheck::fleet
