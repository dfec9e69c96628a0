// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "healthcheck/compare/comparison.hpp"
#include "results/system/version.hpp"

namespace muster::healthcheck::compare {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson written(const results::Value& value) {
  if (const auto* quantity = std::get_if<results::Quantity>(&value))
    return {{"value", quantity->value}, {"unit", symbol(quantity->unit)}};
  return std::get<std::string>(value);
}

OrderedJson written(const Side& side) {
  return {{"file", side.file},       {"run_id", side.run_id}, {"started", side.started},
          {"version", side.version}, {"hosts", side.hosts},   {"status", results::to_text(side.status)},
          {"summary", side.summary}};
}

OrderedJson written(const Change& change) {
  OrderedJson json{{"change", to_text(change.kind)}, {"subject", to_text(change.subject)},
                   {"check", change.check},          {"host", change.host},
                   {"metric", change.metric},        {"labels", change.labels}};
  if (change.before) json["before"] = written(*change.before);
  if (change.after) json["after"] = written(*change.after);
  if (change.difference) json["difference"] = *change.difference;
  if (change.noise) json["noise"] = *change.noise;
  json["fault"] = change.fault;
  json["reason"] = change.reason;
  return json;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  OrderedJson json{{"schema", 1},
                   {"tool", {{"name", "muster"}, {"version", results::version()}}},
                   {"of", comparison.is_of_fleets ? "fleets" : "reports"},
                   {"a", written(comparison.a)},
                   {"b", written(comparison.b)},
                   {"status", exit_code(comparison) == 0 ? "pass" : "fail"},
                   {"summary", summary(comparison)},
                   {"differences", comparison.differences},
                   {"sensitive", comparison.sensitive},
                   {"counts", OrderedJson::object()},
                   {"changes", OrderedJson::array()}};
  for (int each = 0; each <= static_cast<int>(Kind::same); ++each)
    json["counts"][std::string(to_text(static_cast<Kind>(each)))] = count(comparison, static_cast<Kind>(each));
  for (const auto& change : comparison.changes)
    if (change.kind != Kind::same) json["changes"].push_back(written(change));
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace muster::healthcheck::compare
