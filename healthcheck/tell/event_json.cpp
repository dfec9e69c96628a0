// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "healthcheck/tell/event.hpp"

namespace muster::healthcheck::fleet {

std::string to_json(const FleetEvent& event) {
  using Json = nlohmann::ordered_json;
  Json nodes = Json::array();
  for (const auto& node : event.unwell) {
    Json made{{"name", node.name}, {"status", to_text(node.status)}, {"state", node.state}, {"reason", node.reason}};
    for (const auto& [name, text] : {std::pair{"before", &node.before}, std::pair{"check", &node.check},
                                     std::pair{"metric", &node.metric}, std::pair{"fault", &node.fault}})
      if (!text->empty()) made[name] = *text;
    nodes.push_back(std::move(made));
  }
  const Json document{{"specversion", "1.0"},
                      {"id", event.id},
                      {"source", event.source},
                      {"type", event_type},
                      {"time", event.made},
                      {"status", to_text(event.status)},
                      {"datacontenttype", "application/json"},
                      {"data",
                       {{"tool", {{"name", "muster"}, {"version", event.version}}},
                        {"status", to_text(event.status)},
                        {"summary", event.summary},
                        {"node_count", event.nodes},
                        {"counts", event.counts},
                        {"gone", event.gone},
                        {"nodes", std::move(nodes)},
                        {"left_out", event.left_out}}}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace muster::healthcheck::fleet
