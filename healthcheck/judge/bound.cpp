// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/judge/bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "healthcheck/catalogue/counter_delta.hpp"

namespace muster::healthcheck {
namespace {

using results::Interval;
using results::Measurement;
using results::Quantity;
using results::Status;
using results::Unit;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double same_threshold = 1e-9;  // relative: thresholds went through a text and back

// A bound as two ranges: inside the first is pass, outside the second is fail.
struct Ranges {
  Interval pass;
  Interval tolerated;
};

Ranges ranges(const Bound& bound, double scale) {
  switch (bound.kind) {
    case BoundKind::at_most:
    case BoundKind::no_change:
      return {{-infinity, bound.pass}, {-infinity, bound.fail}};
    case BoundKind::within:
      return {bound.pass_range, bound.fail_range};
    default:
      return {{bound.pass * scale, infinity}, {bound.fail * scale, infinity}};
  }
}

bool inside(const Interval& inner, const Interval& outer) { return inner.low >= outer.low && inner.high <= outer.high; }

bool apart(const Interval& one, const Interval& other) { return one.high < other.low || one.low > other.high; }

bool contains(const Interval& range, double value) { return inside({value, value}, range); }

std::string amount(double value, Unit unit) { return results::to_text(Quantity{value, unit}); }

std::string gap(double value, double threshold) {
  return threshold == 0 ? "" : results::percent(std::abs(value - threshold) / std::abs(threshold)) + " ";
}

// "371 GB/s is 16 % below 440 GB/s", or that it is not.
std::string against(const Quantity& value, const Interval& range) {
  const std::string found = results::to_text(value);
  if (value.value < range.low)
    return fmt::format("{} is {}below {}", found, gap(value.value, range.low), amount(range.low, value.unit));
  if (value.value > range.high)
    return fmt::format("{} is {}above {}", found, gap(value.value, range.high), amount(range.high, value.unit));
  return found + " is as expected";
}

std::string against(const Quantity& value, const Interval& interval, const Interval& range) {
  if (!contains(range, value.value)) return against(value, range);
  return fmt::format("{}, but the interval of this median, {} to {}, reaches beyond the threshold",
                     results::to_text(value), amount(interval.low, value.unit), amount(interval.high, value.unit));
}

Assessment assess_interval(const Quantity& value, const Interval& interval, const Ranges& ranges) {
  if (inside(interval, ranges.pass)) return {Status::pass, against(value, ranges.pass)};
  if (inside(interval, ranges.tolerated)) return {Status::warn, against(value, interval, ranges.pass)};
  if (apart(interval, ranges.tolerated)) return {Status::fail, against(value, ranges.tolerated)};
  return {Status::unknown,
          fmt::format("inconclusive: the median lies anywhere from {} to {}, on both sides of the fail threshold",
                      amount(interval.low, value.unit), amount(interval.high, value.unit)),
          "inconclusive"};
}

bool same(std::optional<double> tested, double own) {
  return tested && std::abs(*tested - own) <= same_threshold * std::abs(own);
}

bool tested(const results::Stopping& stopping, const Ranges& ranges) {
  const auto threshold = [](const Interval& range) { return std::isinf(range.high) ? range.low : range.high; };
  return same(stopping.pass_edge, threshold(ranges.pass)) && same(stopping.fail_edge, threshold(ranges.tolerated));
}

// Nothing when the stopping rule came to another kind of end than a decision.
std::optional<Assessment> decided(const Quantity& value, const results::Stopping& stopping, const Ranges& ranges) {
  const std::string after = fmt::format(" (decided by {} after {} samples of this launch)", stopping.rule, stopping.n);
  switch (stopping.decision) {
    case results::StoppingDecision::pass:
      return Assessment{contains(ranges.pass, value.value) ? Status::pass : Status::warn,
                        against(value, ranges.pass) + after};
    case results::StoppingDecision::fail:
      return Assessment{Status::fail, against(value, ranges.pass) + after};
    case results::StoppingDecision::inconclusive:
      return Assessment{Status::unknown, "inconclusive: " + results::to_text(value) + after, "inconclusive"};
    case results::StoppingDecision::precise:
    case results::StoppingDecision::fixed:
    case results::StoppingDecision::budget:
      break;
  }
  return std::nullopt;
}

Assessment assess_ranges(const Measurement& measurement, const Quantity& value, const Ranges& ranges) {
  if (measurement.stopping && tested(*measurement.stopping, ranges))
    if (const auto assessment = decided(value, *measurement.stopping, ranges)) return *assessment;
  if (!measurement.summary) return assess_interval(value, {value.value, value.value}, ranges);
  if (measurement.summary->median_interval)
    return assess_interval(value, *measurement.summary->median_interval, ranges);
  return {Status::unknown,
          fmt::format("too few samples: {} give no interval of the median, 6 do", measurement.summary->n),
          "too_few_samples"};
}

Assessment unusable(const std::string& reason) { return {Status::unknown, reason, "measurement_unusable"}; }

// What was measured instead of a number is a sentence that says why, or a word.
std::string told_instead(const std::string& text) {
  return text.find(' ') == text.npos ? fmt::format("'{}' is not a number", text) : text;
}

Assessment assess_efficiency(const Measurement& measurement, const Quantity& value, const Expectation& expectation) {
  const auto& limit = measurement.limit;
  if (!limit) return {Status::skip, "no physical limit is known here: a fact without a verdict"};
  if (limit->value.unit != value.unit || limit->value.value <= 0)
    return unusable(
        fmt::format("{} cannot be a share of the limit {}", results::to_text(value), results::to_text(limit->value)));
  Assessment assessment = assess_ranges(measurement, value, ranges(expectation.bound, limit->value.value));
  assessment.reason += fmt::format(", {} of the physical limit {}", results::percent(value.value / limit->value.value),
                                   results::to_text(limit->value));
  return assessment;
}

// Where a word such as "read" would tell that all is well, a sentence is the reason already; so is whatever is found
// where "measured" or "none" was wanted.
bool is_reason(const Measurement& measurement, const std::vector<results::Value>& wanted) {
  const auto* found = std::get_if<std::string>(&measurement.value);
  return found != nullptr && std::ranges::any_of(wanted, [&](const results::Value& each) {
           const auto* word = std::get_if<std::string>(&each);
           if (word == nullptr || word->find(' ') != word->npos) return false;
           return *word == "measured" || *word == "none" || found->find(' ') != found->npos;
         });
}

Assessment assess_values(const Measurement& measurement, const Expectation& expectation) {
  const auto& wanted = expectation.bound.values;
  const auto equal = [&](const results::Value& each) { return each == measurement.value; };
  const std::string found = results::to_text(measurement.value);
  if (std::ranges::any_of(wanted, equal)) return {Status::pass, found + " is as expected"};
  const auto comparable = [&](const results::Value& each) {
    const auto* one = std::get_if<Quantity>(&each);
    const auto* other = std::get_if<Quantity>(&measurement.value);
    return one && other ? one->unit == other->unit : one == other;
  };
  if (std::ranges::none_of(wanted, comparable))
    return unusable(fmt::format("{} is of another kind than {}", found, to_text(expectation)));
  return {Status::fail,
          is_reason(measurement, wanted) ? found : fmt::format("{} instead of {}", found, to_text(expectation))};
}

// A full counter hides what comes, and nothing is wrong with what it counts by that.
Assessment uncounted(std::string reason) {
  if (reason.starts_with(full_counter)) return {Status::warn, std::move(reason), "counter_full"};
  return {Status::unknown, std::move(reason), "counter_unusable"};
}

}  // namespace

std::optional<Assessment> impossible(const Measurement& measurement) {
  const auto* value = std::get_if<Quantity>(&measurement.value);
  const auto& limit = measurement.limit;
  if (value == nullptr || !limit || limit->value.unit != value->unit || !(value->value > limit->value.value))
    return std::nullopt;
  return Assessment{Status::unknown,
                    fmt::format("impossible: {} of {}", results::to_text(*value), results::to_text(limit->value)),
                    "measurement_impossible"};
}

Assessment assess(const Measurement& measurement, const Expectation& expectation) {
  if (const auto assessment = impossible(measurement)) return *assessment;
  const Bound& bound = expectation.bound;
  if (bound.kind == BoundKind::equals || bound.kind == BoundKind::one_of)
    return assess_values(measurement, expectation);
  const auto* value = std::get_if<Quantity>(&measurement.value);
  if (value == nullptr && bound.kind == BoundKind::no_change) return uncounted(results::to_text(measurement.value));
  if (value == nullptr) return unusable(told_instead(results::to_text(measurement.value)));
  if (!std::isfinite(value->value)) return unusable(fmt::format("'{}' is not a number", results::to_text(*value)));
  if (bound.kind == BoundKind::efficiency) return assess_efficiency(measurement, *value, expectation);
  if (value->unit != bound.unit)
    return unusable(fmt::format("{} is in {}, the profile expects {}", results::to_text(*value),
                                results::symbol(value->unit), results::symbol(bound.unit)));
  if (bound.kind == BoundKind::no_change && value->value < 0)
    return {Status::unknown, fmt::format("grew by {}, which no counter does", results::to_text(*value)),
            "counter_unusable"};
  return assess_ranges(measurement, *value, ranges(bound, 1));
}

Assessment assess(const results::Delta& delta, const Expectation& expectation) {
  if (auto reason = why_unknown(delta)) return uncounted(std::move(*reason));
  if (auto reason = why_full(delta)) return uncounted(std::move(*reason));
  const double growth = delta.after - delta.before;
  const auto allowed = ranges(expectation.bound, 1);
  const std::string reason = fmt::format("grew by {:.0f}", growth);
  if (contains(allowed.pass, growth)) return {Status::pass, reason};
  return {contains(allowed.tolerated, growth) ? Status::warn : Status::fail, reason};
}

}  // namespace muster::healthcheck
