// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/node_labels.hpp"

namespace muster::healthcheck {

std::string to_json(const NodeLabels& labels) {
  return nlohmann::ordered_json{
      {"labels", labels.labels}, {"annotations", labels.annotations}, {"problems", labels.problems}}
      .dump(2);
}

}  // namespace muster::healthcheck
