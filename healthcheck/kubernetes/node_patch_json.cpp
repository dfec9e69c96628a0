// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/node_patch.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;
using TextMap = std::map<std::string, std::string>;

bool is_settled(const std::string& name, const std::vector<std::string>& settled) {
  return std::ranges::any_of(
      settled, [&](const std::string& each) { return each.ends_with('/') ? name.starts_with(each) : name == each; });
}

// What makes of the one the other.
json changes(const json& present, const TextMap& wanted, const std::vector<std::string>& settled) {
  json made = json::object();
  for (const auto& [name, value] : wanted)
    if (present.value(name, json()) != value) made[name] = value;
  for (const auto& [name, value] : present.items())
    if (!wanted.contains(name) && is_settled(name, settled)) made[name] = nullptr;
  return made;
}

}  // namespace

std::optional<std::string> node_patch(std::string_view node, const NodeLabels& wanted) {
  const json parsed = json::parse(node, nullptr, false);
  const json metadata = parsed.is_object() ? parsed.value("metadata", json()) : json();
  if (!metadata.is_object()) throw results::Error("the API server's answer is not a Node");
  json made = json::object();
  for (const auto& [kind, texts] :
       {std::pair("labels", &wanted.labels), std::pair("annotations", &wanted.annotations)}) {
    const json present = metadata.value(kind, json::object());
    if (!present.is_object()) throw results::Error("the API server's answer is not a Node");
    if (auto changed = changes(present, *texts, wanted.settled); !changed.empty()) made[kind] = std::move(changed);
  }
  if (made.empty()) return std::nullopt;
  return json{{"metadata", std::move(made)}}.dump();
}

}  // namespace muster::healthcheck::fleet
