// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "healthcheck/fleet/fleet_report.hpp"
#include "results/json/report_fields_json.hpp"

namespace muster::healthcheck::fleet {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson written(const Source& source) {
  return {{"path", source.path},
          {"run_id", source.run_id},
          {"started", source.started},
          {"status", to_text(source.status)},
          {"whole", source.is_whole}};
}

OrderedJson written(const FleetNode& node) {
  OrderedJson json{{"name", node.name},
                   {"status", to_text(node.status)},
                   {"coverage", to_text(node.coverage)},
                   {"before", node.before},
                   {"reason", node.reason},
                   {"profile", node.profile},
                   {"reports", OrderedJson::array()},
                   {"problems", OrderedJson::array()},
                   {"omitted", node.omitted}};
  for (const auto& source : node.reports) json["reports"].push_back(written(source));
  for (const auto& problem : node.problems) json["problems"].push_back(results::written(problem));
  if (!node.checks.empty()) json["checks"] = node.checks;
  return json;
}

OrderedJson written(const Peers& peers) {
  OrderedJson json{{"nodes", peers.nodes}, {"values", peers.values}, {"divided", OrderedJson::array()}};
  for (const auto& each : peers.divided)
    json["divided"].push_back(
        {{"profile", each.profile}, {"metric", each.metric}, {"labels", each.labels}, {"reason", each.reason}});
  return json;
}

OrderedJson written(const MetricSpread& spread) {
  OrderedJson json{{"profile", spread.profile},       {"machine", spread.machine},
                   {"metric", spread.metric},         {"unit", results::symbol(spread.unit)},
                   {"labels", spread.labels},         {"better", spread.better == Better::higher ? "higher" : "lower"},
                   {"nodes", spread.nodes},           {"values", spread.values},
                   {"quantiles", spread.quantiles},   {"slow", spread.slow},
                   {"outliers", OrderedJson::array()}};
  for (const auto& each : spread.outliers)
    json["outliers"].push_back({{"node", each.node}, {"component", each.component}, {"value", each.value}});
  return json;
}

}  // namespace

std::string to_json(const FleetReport& report) {
  OrderedJson json{{"schema", 1},
                   {"tool", {{"name", "muster"}, {"version", report.version}}},
                   {"run_id", report.run_id},
                   {"made", report.made},
                   {"since", report.since},
                   {"status", to_text(report.status)},
                   {"summary", report.summary},
                   {"nodes", OrderedJson::array()},
                   {"unreadable", OrderedJson::array()}};
  for (const auto& node : report.nodes) json["nodes"].push_back(written(node));
  for (const auto& file : report.unreadable)
    json["unreadable"].push_back({{"path", file.path}, {"reason", file.reason}});
  json["peers"] = written(report.peers);
  if (report.previous) json["previous"] = {{"run_id", report.previous->run_id}, {"made", report.previous->made}};
  json["gone"] = report.gone;
  if (!report.checks.empty()) json["check_names"] = report.checks;  // a report of a node is known by its "checks"
  for (const auto& spread : report.metrics) json["metrics"].push_back(written(spread));
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace muster::healthcheck::fleet
