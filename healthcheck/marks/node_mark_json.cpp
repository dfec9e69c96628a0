// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/kubernetes_nodes.hpp"
#include "healthcheck/kubernetes/node_labels.hpp"
#include "healthcheck/marks/node_mark.hpp"
#include "results/system/error.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;

constexpr auto reason = "muster/reason";

class Node {
 public:
  explicit Node(std::string_view text) : node_(json::parse(text, nullptr, false)) {
    const auto is = [&](const char* pointer, bool (json::*has_type)() const noexcept) {
      const json::json_pointer at(pointer);
      return !node_.contains(at) || (node_.at(at).*has_type)();
    };
    if (!node_.is_object() || !is("/metadata", &json::is_object) ||
        !node_.contains("/metadata/resourceVersion"_json_pointer) || !is("/metadata/labels", &json::is_object) ||
        !is("/metadata/annotations", &json::is_object) || !is("/spec", &json::is_object) ||
        !is("/spec/taints", &json::is_array))
      throw results::Error("the API server's answer is not a Node");
  }

  json text(const char* kind, std::string_view name) const {
    return node_["metadata"].value(kind, json::object()).value(std::string(name), json());
  }
  bool is_marked() const { return !text("annotations", marked_by).is_null(); }
  bool has_label() const { return !text("labels", unfit).is_null(); }

  json taints() const { return node_.value("/spec/taints"_json_pointer, json::array()); }

  json patch(json labels, json annotations, json taints) const {
    return {{"metadata",
             {{"resourceVersion", node_["metadata"]["resourceVersion"]},
              {"labels", std::move(labels)},
              {"annotations", std::move(annotations)}}},
            {"spec", {{"taints", std::move(taints)}}}};
  }

 private:
  json node_;
};

bool has_key(const json& taint, std::string_view key) { return taint.is_object() && taint.value("key", "") == key; }
bool is_ours(const json& taint) { return has_key(taint, unfit); }

json without(json taints, std::string_view key) {
  std::erase_if(taints.get_ref<json::array_t&>(), [&](const json& taint) { return has_key(taint, key); });
  return taints;
}

}  // namespace

std::optional<std::string> marking(std::string_view text, const UnfitMark& mark) {
  const Node node(text);
  json taints = node.taints();
  const bool is_marked_by_others = !node.is_marked() && (node.has_label() || std::ranges::any_of(taints, is_ours));
  if (is_marked_by_others) return std::nullopt;
  const auto value = as_label(mark.fault);
  const json wanted{{"key", unfit}, {"value", value}, {"effect", mark.effect}};
  const auto is_wanted = [&](const json& taint) {
    return is_ours(taint) && taint.value("value", "") == value && taint.value("effect", "") == mark.effect;
  };
  if (node.text("labels", unfit) == value && std::ranges::any_of(taints, is_wanted)) return std::nullopt;
  taints = without(std::move(taints), unfit);
  taints.push_back(wanted);
  return node.patch({{unfit, value}}, {{marked_by, mark.run_id}, {reason, mark.reason}}, std::move(taints)).dump();
}

std::optional<std::string> unmarking(std::string_view text) {
  const Node node(text);
  if (!node.is_marked()) return std::nullopt;
  return node.patch({{unfit, nullptr}}, {{marked_by, nullptr}, {reason, nullptr}}, without(node.taints(), unfit))
      .dump();
}

std::optional<std::string> opening(std::string_view text, std::string_view key) {
  const Node node(text);
  auto taints = without(node.taints(), key);
  if (taints.size() == node.taints().size()) return std::nullopt;
  return node.patch(json::object(), json::object(), std::move(taints)).dump();
}

}  // namespace muster::healthcheck::fleet
