// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/night.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;

constexpr std::size_t max_name_length = 63;
constexpr std::size_t hash_size = 10;

// A name for each node, whatever its length.
std::string pod_name(const std::string& night, const std::string& node) {
  auto name = fmt::format("{}-{}", night, node);
  return name.size() <= max_name_length ? name
                                        : fmt::format("{}-{}", night, results::sha256(node).substr(0, hash_size));
}

}  // namespace

NodePod pod_for(std::string_view pod_template, const std::string& night, const std::string& node,
                const Owner& owner) try {
  json pod = json::parse(pod_template);
  if (pod.at("kind") != "Pod") throw results::Error("the template is not a Pod");
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
  throw results::Error("the template is not a Pod as JSON");
}

}  // namespace muster::healthcheck::fleet
