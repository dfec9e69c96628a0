// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "healthcheck/fleet/all_processors.hpp"
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

OrderedJson written(const Unreadable& file) { return {{"path", file.path}, {"reason", file.reason}}; }

// Has each member on a line of its own, and each element of a long list: what a large fleet says is never there twice.
class Lines {
 public:
  // What it begins with is as in any other document of muster, by which older ones are known.
  explicit Lines(const OrderedJson& head) : text_(dumped(head, 2)) { text_.erase(text_.rfind("\n}")); }

  void add(std::string_view name, const OrderedJson& value) {
    begin(name);
    text_ += dumped(value);
  }

  template <typename Range>
  void add_each(std::string_view name, const Range& from) {
    begin(name);
    std::vector<std::string> texts(std::size(from));
    for_each_index(texts.size(), [&](std::size_t each) { texts[each] = dumped(written(from[each])); });
    std::string_view before = "[\n    ";
    for (const auto& each : texts) text_.append(std::exchange(before, ",\n    ")).append(each);
    text_ += std::empty(from) ? "[]" : "\n  ]";
  }

  std::string whole() && { return std::move(text_) + "\n}\n"; }

 private:
  static std::string dumped(const OrderedJson& value, int indent = -1) {
    return value.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
  }

  void begin(std::string_view name) { text_.append(",\n  \"").append(name).append("\": "); }

  std::string text_;
};

}  // namespace

std::string to_json(const FleetReport& report) {
  Lines lines({{"schema", 1},
               {"tool", {{"name", "muster"}, {"version", report.version}}},
               {"run_id", report.run_id},
               {"made", report.made},
               {"since", report.since},
               {"status", to_text(report.status)},
               {"summary", report.summary}});
  lines.add_each("nodes", report.nodes);
  lines.add_each("unreadable", report.unreadable);
  lines.add("peers", written(report.peers));
  if (report.previous) lines.add("previous", {{"run_id", report.previous->run_id}, {"made", report.previous->made}});
  lines.add("gone", report.gone);
  if (!report.checks.empty()) lines.add("check_names", report.checks);  // a report of a node is known by its "checks"
  if (!report.metrics.empty()) lines.add_each("metrics", report.metrics);
  return std::move(lines).whole();
}

}  // namespace muster::healthcheck::fleet
