// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "healthcheck/fleet/kubernetes_nodes.hpp"
#include "results/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;

// Why no pod can be started on a node.
std::string obstacle(const json& node) {
  if (node.value("/spec/unschedulable"_json_pointer, false)) return "it is cordoned";
  for (const auto& condition : node.value("/status/conditions"_json_pointer, json::array()))
    if (condition.value("type", "") == "Ready")
      return condition.value("status", "") == "True"
                 ? ""
                 : fmt::format("it is not ready: {}", condition.value("message", condition.value("reason", "")));
  return "it is not ready: it has not said so";
}

}  // namespace

std::vector<KubernetesNode> kubernetes_nodes(KubernetesApi& api, const std::string& selector) {
  std::vector<KubernetesNode> nodes;
  api.list("/api/v1/nodes", selector, [&](const std::string& text) {
    try {
      const json page = json::parse(text);
      for (const auto& node : page.at("items")) nodes.push_back({node.at("metadata").at("name"), obstacle(node)});
      return page.value("/metadata/continue"_json_pointer, "");
    } catch (const json::exception&) {
      throw results::Error("the API server's answer is no list of nodes");
    }
  });
  return nodes;
}

}  // namespace muster::healthcheck::fleet
