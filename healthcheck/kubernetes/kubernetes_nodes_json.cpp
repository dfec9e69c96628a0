// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/kubernetes_nodes.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;

// Why no pod can be started on a node.
std::string blocking_reason(const json& node) {
  if (node.value("/spec/unschedulable"_json_pointer, false)) return "it is cordoned";
  for (const auto& condition : node.value("/status/conditions"_json_pointer, json::array()))
    if (condition.value("type", "") == "Ready")
      return condition.value("status", "") == "True"
                 ? ""
                 : fmt::format("it is not ready: {}", condition.value("message", condition.value("reason", "")));
  return "it is not ready: it has not said so";
}

// Gives each thing of a list, of which `kind` is the plural, to `take`.
void each(KubernetesApi& api, const std::string& path, const std::string& selector, const char* kind,
          const std::function<void(const json&)>& take) {
  api.list(path, selector, [&](const std::string& text) {
    try {
      const json page = json::parse(text);
      for (const auto& thing : page.at("items")) take(thing);
      return page.value("/metadata/continue"_json_pointer, "");
    } catch (const json::exception&) {
      throw results::Error(fmt::format("the API server's answer is not a list of {}", kind));
    }
  });
}

bool is_work(const json& pod) {
  const auto& metadata = pod.at("metadata");
  const auto phase = pod.value("/status/phase"_json_pointer, "");
  const auto owners = metadata.value("ownerReferences", json::array());
  const auto is_of = [&](const char* kind) {
    return std::ranges::any_of(owners, [&](const json& owner) { return owner.value("kind", "") == kind; });
  };
  return phase != "Succeeded" && phase != "Failed" && !is_of("DaemonSet") && !is_of("Node") &&
         !metadata.contains("/labels/muster~1night"_json_pointer) && metadata.at("namespace") != "kube-system";
}

std::optional<NodeCondition> fitness_in(const json& conditions) {
  for (const auto& condition : conditions)
    if (condition.value("type", "") == fit_condition)
      return NodeCondition{.status = condition.value("status", ""),
                           .reason = condition.value("reason", ""),
                           .message = condition.value("message", ""),
                           .since = condition.value("lastTransitionTime", ""),
                           .told = condition.value("lastHeartbeatTime", "")};
  return std::nullopt;
}

NodeState state_of(const json& node) {
  const auto& metadata = node.at("metadata");
  NodeState state{.name = metadata.at("name"),
                  .uid = metadata.value("uid", ""),
                  .is_marked = metadata.value("labels", json::object()).contains(unfit),
                  .taints = {},
                  .fitness = fitness_in(node.value("/status/conditions"_json_pointer, json::array()))};
  for (const auto& taint : node.value("/spec/taints"_json_pointer, json::array()))
    state.taints.push_back(taint.at("key"));
  return state;
}

}  // namespace

std::vector<KubernetesNode> kubernetes_nodes(KubernetesApi& api, const std::string& selector) {
  std::vector<KubernetesNode> nodes;
  each(api, "/api/v1/nodes", selector, "nodes", [&](const json& node) {
    nodes.push_back({node.at("metadata").at("name"), blocking_reason(node)});
  });
  return nodes;
}

std::vector<NodeState> node_states(KubernetesApi& api, const std::string& selector) {
  std::vector<NodeState> states;
  each(api, "/api/v1/nodes", selector, "nodes", [&](const json& node) { states.push_back(state_of(node)); });
  return states;
}

Work work_on_nodes(KubernetesApi& api, const std::string& own) {
  Work work;
  each(api, "/api/v1/pods", "", "pods", [&](const json& pod) {
    const auto& metadata = pod.at("metadata");
    const auto name =
        fmt::format("{}/{}", metadata.at("namespace").get<std::string>(), metadata.at("name").get<std::string>());
    const auto node = pod.value("/spec/nodeName"_json_pointer, "");
    if (!node.empty() && name != own && is_work(pod)) work.try_emplace(node, name);
  });
  return work;
}

}  // namespace muster::healthcheck::fleet
