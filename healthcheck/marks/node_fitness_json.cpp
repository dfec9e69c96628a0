// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "healthcheck/kubernetes/node_labels.hpp"
#include "healthcheck/marks/node_fitness.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck::fleet {
namespace {

using nlohmann::json;

constexpr std::size_t longest_message = 1000;  // bytes; Kubernetes refuses an Event of more than 1,024

// Of an object of Kubernetes: small letters, digits and '-'.
std::string as_name(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (letter == '_' || letter == '.') letter = '-';
  }
  return text;
}

}  // namespace

std::string condition_patch(NodeCondition wanted, const std::optional<NodeCondition>& before) {
  if (before && before->status == wanted.status) wanted.since = before->since;
  return json{{"status",
               {{"conditions",
                 {{{"type", fit_condition},
                   {"status", wanted.status},
                   {"reason", wanted.reason},
                   {"message", results::shortened(wanted.message, longest_message)},
                   {"lastTransitionTime", wanted.since},
                   {"lastHeartbeatTime", wanted.told}}}}}}}
      .dump();
}

std::string to_json(const NodeEvent& event, const NodeState& node) {
  const auto name =
      fmt::format("{}.{}", node.name, as_name(as_label(fmt::format("{}-{}", event.reason, event.run_id))));
  return json{{"apiVersion", "v1"},
              {"kind", "Event"},
              {"metadata", {{"name", name}, {"namespace", "default"}}},
              {"involvedObject", {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node.name}, {"uid", node.uid}}},
              {"type", event.is_warning ? "Warning" : "Normal"},
              {"reason", event.reason},
              {"message", results::shortened(event.message, longest_message)},
              {"source", {{"component", "muster"}}},
              {"firstTimestamp", event.time},
              {"lastTimestamp", event.time},
              {"count", 1}}
      .dump();
}

}  // namespace muster::healthcheck::fleet
