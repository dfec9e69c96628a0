// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "healthcheck/fleet/night.hpp"
#include "results/error.hpp"
#include "results/file.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;

constexpr std::size_t longest_name = 63;
constexpr std::size_t hash_size = 10;

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

// A name for each node, whatever its length.
std::string pod_name(const std::string& night, const std::string& node) {
  auto name = fmt::format("{}-{}", night, node);
  return name.size() <= longest_name ? name : fmt::format("{}-{}", night, results::sha256(node).substr(0, hash_size));
}

}  // namespace

KubernetesNodes kubernetes_nodes(std::string_view list) try {
  const json page = json::parse(list);
  KubernetesNodes read;
  for (const auto& node : page.at("items")) read.nodes.push_back({node.at("metadata").at("name"), obstacle(node)});
  read.next = page.value("metadata", json::object()).value("continue", "");
  return read;
} catch (const json::exception&) {
  throw results::Error("the API server's answer is no list of nodes");
}

NodePod pod_for(std::string_view pod_template, const std::string& night, const std::string& node,
                const Owner& owner) try {
  json pod = json::parse(pod_template);
  if (pod.at("kind") != "Pod") throw results::Error("the template is no Pod");
  auto& metadata = pod["metadata"];
  const auto name = pod_name(night, node);
  metadata["name"] = name;
  metadata["labels"]["muster/night"] = night;
  metadata["annotations"]["muster/node"] = node;
  if (!owner.uid.empty())
    metadata["ownerReferences"] = {{{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", owner.name}, {"uid", owner.uid}}};
  const json here{{"key", "metadata.name"}, {"operator", "In"}, {"values", {node}}};
  pod.at("spec")["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] = {
      {{"matchFields", {here}}}};
  return {name, pod.dump()};
} catch (const json::exception&) {
  throw results::Error("the template is no Pod as JSON");
}

}  // namespace muster::healthcheck::fleet
