// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "healthcheck/fleet/kubernetes_api.hpp"

namespace muster::healthcheck::fleet {

// A node of Kubernetes, as far as a test of it cares.
struct KubernetesNode {
  std::string name;
  std::string obstacle;  // why no pod can be started there; empty when one can
};

// Those of the labels, as kubectl takes them; empty for all. Throws as KubernetesApi::list does, and results::Error
// when an answer is no list of nodes.
std::vector<KubernetesNode> kubernetes_nodes(KubernetesApi& api, const std::string& selector);

}  // namespace muster::healthcheck::fleet
