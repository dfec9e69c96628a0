// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/fleet/read_facts.hpp"

#include <cmath>
#include <optional>

#include "results/json/fields_json.hpp"
#include "results/values/quantity.hpp"

namespace muster::healthcheck::fleet {
namespace {

constexpr Shape<2> quantity_shape{{"value", "unit"}};
constexpr Shape<6> measurement_shape{{"metric", "value", "labels", "summary", "stopping", "limit"}, 0b111000};
constexpr Shape<8> summary_shape{{"n", "minimum", "median", "p95", "p99", "maximum", "spread", "median_interval"},
                                 0b10000000};
constexpr Shape<2> interval_shape{{"low", "high"}};
constexpr Shape<6> stopping_shape{{"rule", "pass_edge", "fail_edge", "noise", "n", "decision"}, 0b001110};
constexpr Shape<2> limit_shape{{"value", "source"}};
constexpr Shape<4> delta_shape{{"metric", "labels", "before", "after"}};

constexpr std::size_t max_steps = 1'000'000;  // of a run, before the strict reader does it better

void expect_count(const element& from) {
  const double count = number(from);
  expect(std::floor(count) == count && count >= 0 && count <= static_cast<double>(results::max_exact));
}

// The median.
double summary(const element& from) {
  const Fields<summary_shape> fields(from);
  expect_count(fields[0]);
  for (const std::size_t each : {1U, 3U, 4U, 5U, 6U}) expect_number(fields[each]);
  if (fields.has(7)) {
    const Fields<interval_shape> interval(fields[7]);
    expect_number(interval[0]);
    expect_number(interval[1]);
  }
  return number(fields[2]);
}

void expect_stopping(const element& from) {
  const Fields<stopping_shape> fields(from);
  expect_text(fields[0]);
  for (const std::size_t each : {1U, 2U, 3U})
    if (fields.has(each)) expect_number(fields[each]);
  expect_count(fields[4]);
  expect(results::stopping_decision_from(text(fields[5])).has_value());
}

// Its unit may be any word.
Said said(const element& value) {
  if (value.is_string()) return {.is_text = true, .word = text(value)};
  const Fields<quantity_shape> fields(value);
  return {.is_text = false, .word = text(fields[1]), .number = number(fields[0])};
}

void expect_unit(const Said& value) { expect(value.is_text || results::unit_from(value.word).has_value()); }

void expect_limit(const element& from) {
  const Fields<limit_shape> fields(from);
  const auto value = said(fields[0]);
  expect(!value.is_text);
  expect_unit(value);
  expect_text(fields[1]);
}

}  // namespace

void Facts::begin(std::string_view host, const element& component) {
  host_ = host;
  component_ = component;
  facts_.clear();
  verdicts_.clear();
  kinds_.clear();
  last_kind_ = steps_ = 0;
  unjudged_.reset();
}

void Facts::add_measurement(const element& from, RateReader& rates) {
  const Fields<measurement_shape> fields(from);
  const auto metric = text(fields[0]);
  const auto value = said(fields[1]);
  const bool is_rate = fields.has(3) && !value.is_text;
  if (!is_rate || !rates.add_again(metric, fields[2], value.word, value.number)) {
    expect_unit(value);
    expect_texts(fields[2]);
    if (is_rate) rates.add_new(metric, fields[2], value.word, value.number);
  }
  if (fields.has(3)) {
    const double median = summary(fields[3]);
    expect(value.is_text || value.number == median);
  }
  if (fields.has(4)) expect_stopping(fields[4]);
  if (fields.has(5)) expect_limit(fields[5]);
  add(metric, fields[2], value);
}

void Facts::add_evidence(const element& from) {
  const Fields<delta_shape> fields(from);
  expect_texts(fields[1]);
  add(text(fields[0]), fields[1],
      {.is_text = false, .word = results::symbol(results::Unit::one), .number = number(fields[3]) - number(fields[2])});
}

void Facts::add_verdict(std::string_view metric, const element& labels, const element& value) {
  auto* kind = kind_of(metric);
  if (kind == nullptr) kind = &kinds_.emplace_back(metric);
  const auto about = said(value);
  expect_unit(about);
  verdicts_.push_back({.labels = labels, .value = about, .kind = static_cast<std::size_t>(kind - kinds_.data())});
}

void Facts::add(std::string_view metric, const element& labels, const Said& value) {
  if (metric == unjudged_) return;
  auto* kind = kind_of(metric);
  if (kind == nullptr) {
    unjudged_ = metric;
    return;
  }
  if (kind->first == none)
    kind->first = kind->likely = facts_.size();
  else
    facts_[kind->last].next = facts_.size();
  kind->last = facts_.size();
  facts_.push_back({.labels = labels, .value = value});
}

// Facts of several metrics come in turns, so that the next kind is a good guess after the same.
Facts::Kind* Facts::kind_of(std::string_view metric) {
  for (std::size_t tried = 0; tried < kinds_.size(); ++tried) {
    expect(++steps_ <= max_steps);
    if (kinds_[last_kind_].metric == metric) return &kinds_[last_kind_];
    last_kind_ = last_kind_ + 1 < kinds_.size() ? last_kind_ + 1 : 0;
  }
  return nullptr;
}

bool Facts::is_of_run(std::string_view label, std::string_view value) const {
  std::string_view component;
  if (component_[label].get(component) == simdjson::SUCCESS) return component == value;
  return label == "host" && value == host_;
}

// A verdict has all labels of its fact, and those of the run.
bool Facts::tells(const Fact& fact, const Verdict& verdict) const {
  if (fact.value != verdict.value) return false;
  const auto own = object(fact.labels);
  auto label = own.begin();
  for (const auto& [name, value] : object(verdict.labels)) {
    if (label != own.end() && label.key() == name) {
      if (text(label.value()) != text(value)) return false;
      ++label;
    } else if (!is_of_run(name, text(value))) {
      return false;
    }
  }
  return !(label != own.end());
}

bool Facts::is_fact(const Verdict& verdict) {
  auto& kind = kinds_[verdict.kind];
  if (kind.first == none) return false;
  auto at = kind.likely;
  do {
    expect(++steps_ <= max_steps);
    const auto next = facts_[at].next == none ? kind.first : facts_[at].next;
    if (tells(facts_[at], verdict)) {
      kind.likely = next;
      return true;
    }
    at = next;
  } while (at != kind.likely);
  return false;
}

void Facts::expect_all_are_facts() {
  for (const auto& verdict : verdicts_) expect(is_fact(verdict));
}

}  // namespace muster::healthcheck::fleet
