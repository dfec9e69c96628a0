// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "healthcheck/expectations/profile.hpp"

namespace muster::healthcheck {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json(const results::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::get<results::Quantity>(value).value;
}

OrderedJson json(const results::Interval& range) { return {range.low, range.high}; }

void add_unit(OrderedJson& object, const Bound& bound) { object["unit"] = results::symbol(bound.unit); }

void add_bound(OrderedJson& object, const Bound& bound) {
  object["bound"] = to_text(bound.kind);
  switch (bound.kind) {
    case BoundKind::at_least:
    case BoundKind::at_most:
    case BoundKind::no_change:
      add_unit(object, bound);
      [[fallthrough]];
    case BoundKind::efficiency:
      object["pass"] = bound.pass;
      object["fail"] = bound.fail;
      break;
    case BoundKind::within:
      add_unit(object, bound);
      object["pass"] = json(bound.pass_range);
      object["fail"] = json(bound.fail_range);
      break;
    case BoundKind::equals:
      add_unit(object, bound);
      object["value"] = json(bound.values.at(0));
      break;
    case BoundKind::one_of:
    case BoundKind::majority:
      add_unit(object, bound);
      for (const auto& value : bound.values) object["values"].push_back(json(value));
      break;
    case BoundKind::peers:
      break;
  }
}

OrderedJson json(const Expectation& expectation) {
  OrderedJson object;
  if (!expectation.check.empty()) object["check"] = expectation.check;
  object["metric"] = expectation.metric;
  if (!expectation.labels.empty()) object["labels"] = expectation.labels;
  add_bound(object, expectation.bound);
  object["tier"] = results::to_text(expectation.tier);
  if (expectation.severity) object["severity"] = results::to_text(*expectation.severity);
  if (expectation.noise) object["noise"] = *expectation.noise;
  if (expectation.count) object["count"] = *expectation.count;
  if (expectation.optional) object["optional"] = true;
  if (expectation.fault_label.empty())
    object["fault"] = expectation.fault;
  else
    object["fault_label"] = expectation.fault_label;
  if (!expectation.action.empty()) object["action"] = expectation.action;
  object["source"] = expectation.source;
  object["date"] = expectation.date;
  return object;
}

OrderedJson json(const Match& match) {
  OrderedJson object = OrderedJson::object();
  if (match.gpu_id) object["gpu_id"] = *match.gpu_id;
  if (match.gpu_count) object["gpu_count"] = *match.gpu_count;
  if (match.nic_count) object["nic_count"] = *match.nic_count;
  if (match.nic_rate_bits_per_second)
    object["nic_rate"] = {{"value", *match.nic_rate_bits_per_second},
                          {"unit", results::symbol(results::Unit::bit_per_second)}};
  if (match.cpu_count) object["cpu_count"] = *match.cpu_count;
  if (match.numa_count) object["numa_count"] = *match.numa_count;
  if (match.drive_count) object["drive_count"] = *match.drive_count;
  if (match.memory_bytes)
    object["memory"] = {{"value", *match.memory_bytes}, {"unit", results::symbol(results::Unit::byte)}};
  return object;
}

}  // namespace

std::string to_json(const Profile& profile, std::string_view extends) {
  OrderedJson object;
  object["name"] = profile.name;
  object["description"] = profile.description;
  if (!extends.empty()) object["extends"] = extends;
  if (const OrderedJson match = json(profile.match); !match.empty()) object["match"] = match;
  if (!profile.scratch_mounts.empty()) object["scratch_mounts"] = profile.scratch_mounts;
  if (!profile.information.empty()) object["information"] = profile.information;
  object["expectations"] = OrderedJson::array();
  for (const Expectation& expectation : profile.expectations)
    object[expectation.check.empty() ? "evidence" : "expectations"].push_back(json(expectation));
  return object.dump(2) + "\n";
}

}  // namespace muster::healthcheck
