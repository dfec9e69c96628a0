// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/expectations/expectation_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/catalogue/document_json.hpp"

namespace muster::healthcheck {
namespace {

using results::Field;

results::Labels read_labels(const Field& field) {
  results::Labels labels;
  for (const auto& [name, value] : field.members()) labels[name] = filled_text(value);
  return labels;
}

results::Interval read_range(const Field& field) {
  const auto ends = field.items();
  if (ends.size() != 2) field.fail("must be [low, high]");
  const results::Interval range{ends[0].number(), ends[1].number()};
  if (range.low > range.high) field.fail("low is above high; exchange them");
  return range;
}

results::Value read_value(const Field& field, results::Unit unit) {
  if (field.is_text()) return filled_text(field);
  return results::Quantity{field.number(), unit};
}

// Of the fields that decide, those that a kind of bound takes.
std::vector<std::string_view> fields_of(BoundKind kind) {
  switch (kind) {
    case BoundKind::at_least:
    case BoundKind::at_most:
    case BoundKind::within:
    case BoundKind::no_change:
      return {"unit", "pass", "fail"};
    case BoundKind::equals:
      return {"unit", "value"};
    case BoundKind::one_of:
    case BoundKind::majority:
      return {"unit", "values"};
    case BoundKind::efficiency:
      return {"pass", "fail"};
    case BoundKind::peers:
      return {};
  }
  return {};
}

// Another would be read by nobody.
void take_only_fields_of(BoundKind kind, const Field& field) {
  const auto taken = fields_of(kind);
  for (const std::string_view name : {"unit", "pass", "fail", "value", "values"})
    if (const auto extra = field.find(name); extra && std::ranges::find(taken, name) == taken.end())
      extra->fail(fmt::format("an expectation of the kind {} takes no such field; remove it", to_text(kind)));
}

void read_thresholds(const Field& field, Bound& bound, bool higher_is_better) {
  bound.pass = field.at("pass").number();
  bound.fail = field.at("fail").number();
  if (higher_is_better ? bound.pass < bound.fail : bound.pass > bound.fail)
    field.at("pass").fail(fmt::format("the thresholds are crossed: pass {} must not be {} fail {}", bound.pass,
                                      higher_is_better ? "below" : "above", bound.fail));
}

void read_shares(const Field& field, Bound& bound) {
  read_thresholds(field, bound, true);
  for (const std::string_view name : {"pass", "fail"})
    if (const double share = field.at(name).number(); share <= 0 || share > 1)
      field.at(name).fail(fmt::format("{} is not a share of the physical limit; give one above 0 and up to 1", share));
}

void read_ranges(const Field& field, Bound& bound) {
  bound.pass_range = read_range(field.at("pass"));
  bound.fail_range = read_range(field.at("fail"));
  if (bound.pass_range.low < bound.fail_range.low || bound.pass_range.high > bound.fail_range.high)
    field.at("pass").fail("the thresholds are crossed: the range of pass must lie within that of fail");
}

void read_growth(const Field& field, Bound& bound) {
  if (const auto pass = field.find("pass")) bound.pass = pass->number();
  bound.fail = bound.pass;
  if (const auto fail = field.find("fail")) bound.fail = fail->number();
  if (bound.pass < 0) field.at("pass").fail("a counter cannot grow by less than 0");
  if (bound.pass > bound.fail) field.at("fail").fail("the thresholds are crossed: pass must not be above fail");
}

void read_values(const Field& list, Bound& bound) {
  for (const Field& value : list.items()) bound.values.push_back(read_value(value, bound.unit));
}

BoundKind read_kind(const Field& field) {
  return field.one_of(
      bound_kind_from, [](BoundKind kind) { return to_text(kind); }, BoundKind::no_change);
}

Bound read_bound(const Field& field) {
  Bound bound;
  bound.kind = read_kind(field.at("bound"));
  take_only_fields_of(bound.kind, field);
  if (const auto unit = field.find("unit")) bound.unit = read_unit(*unit);
  switch (bound.kind) {
    case BoundKind::at_least:
    case BoundKind::at_most:
      read_thresholds(field, bound, bound.kind == BoundKind::at_least);
      break;
    case BoundKind::within:
      read_ranges(field, bound);
      break;
    case BoundKind::equals:
      bound.values = {read_value(field.at("value"), bound.unit)};
      break;
    case BoundKind::one_of:
      read_values(field.at("values"), bound);
      if (bound.values.empty()) field.at("values").fail("must hold at least one value");
      break;
    case BoundKind::efficiency:
      read_shares(field, bound);
      break;
    case BoundKind::no_change:
      read_growth(field, bound);
      break;
    case BoundKind::majority:
      if (const auto good = field.find("values")) read_values(*good, bound);
      break;
    case BoundKind::peers:
      break;
  }
  return bound;
}

results::Tier read_tier(const Field& field) {
  return field.one_of(
      results::tier_from, [](results::Tier tier) { return results::to_text(tier); }, results::Tier::full);
}

double read_noise(const Field& field) {
  const double noise = field.number();
  if (noise <= 0 || noise >= 1) field.fail(fmt::format("{} is not a share; give one between 0 and 1", noise));
  return noise;
}

std::string read_date(const Field& field) {
  std::string date = field.text();
  if (!results::is_time(date + "T00:00:00Z")) field.fail(fmt::format("'{}' is not a date like 2026-11-21", date));
  return date;
}

// Which code a violation has: always the same, or what a label of the fact says.
void read_fault(const Field& field, Expectation& expectation) {
  const auto label = field.find("fault_label");
  if (!label) {
    expectation.fault = filled_text(field.at("fault"));
    return;
  }
  expectation.fault_label = filled_text(*label);
  if (const auto fault = field.find("fault")) fault->fail("the label says the code already; remove one of both fields");
}

Expectation read_expectation(const Field& field) {
  field.object({"check", "metric", "labels", "bound", "unit", "pass", "fail", "value", "values", "tier", "severity",
                "noise", "count", "optional", "fault", "fault_label", "action", "source", "date"});
  Expectation expectation;
  expectation.metric = filled_text(field.at("metric"));
  if (const auto labels = field.find("labels")) expectation.labels = read_labels(*labels);
  expectation.bound = read_bound(field);
  if (const auto tier = field.find("tier")) expectation.tier = read_tier(*tier);
  if (const auto severity = field.find("severity")) expectation.severity = read_severity(*severity);
  if (const auto noise = field.find("noise")) expectation.noise = read_noise(*noise);
  if (const auto count = field.find("count")) expectation.count = count->whole_number(1, 1'000'000);
  if (const auto optional = field.find("optional")) expectation.optional = optional->flag();
  read_fault(field, expectation);
  if (const auto action = field.find("action")) expectation.action = filled_text(*action);
  expectation.source = filled_text(field.at("source"));
  expectation.date = read_date(field.at("date"));
  return expectation;
}

}  // namespace

Expectation read_check_expectation(const Field& field) {
  Expectation expectation = read_expectation(field);
  expectation.check = filled_text(field.at("check"));
  return expectation;
}

Expectation read_evidence_expectation(const Field& field) {
  if (const auto check = field.find("check")) check->fail("evidence is about every check; remove this field");
  Expectation expectation = read_expectation(field);
  if (expectation.bound.kind != BoundKind::no_change) field.at("bound").fail("evidence takes no_change only");
  if (expectation.bound.unit != results::Unit::one) field.at("unit").fail("evidence counts; remove this field");
  return expectation;
}

}  // namespace muster::healthcheck
