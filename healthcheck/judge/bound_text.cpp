// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "healthcheck/judge/bound.hpp"

namespace muster::healthcheck {
namespace {

using results::to_text;

std::string_view violates(results::Status worst) {
  if (worst == results::Status::warn) return "warns";
  return worst == results::Status::unknown ? "is unknown" : "fails";
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string range(const results::Interval& interval, results::Unit unit) {
  return fmt::format("{} to {}", to_text({interval.low, unit}), to_text({interval.high, unit}));
}

std::string values(const Bound& bound) {
  std::vector<std::string> texts;
  for (const auto& value : bound.values) texts.push_back(to_text(value));
  return fmt::format("{}", fmt::join(texts, " or "));
}

}  // namespace

std::string to_text(const Expectation& expectation, results::Status worst) {
  // " (fails below 440 GB/s)"; nothing where both thresholds are one.
  const auto beyond = [&](std::string_view side, const std::string& pass, const std::string& fail) {
    return pass == fail ? "" : fmt::format(" ({} {} {})", violates(worst), side, fail);
  };
  const Bound& bound = expectation.bound;
  const auto amount = [&](double value) { return to_text(results::Quantity{value, bound.unit}); };
  switch (bound.kind) {
    case BoundKind::at_least:
      return "at least " + amount(bound.pass) + beyond("below", amount(bound.pass), amount(bound.fail));
    case BoundKind::at_most:
      return "at most " + amount(bound.pass) + beyond("above", amount(bound.pass), amount(bound.fail));
    case BoundKind::within: {
      const std::string pass = range(bound.pass_range, bound.unit);
      return "within " + pass + beyond("outside", pass, range(bound.fail_range, bound.unit));
    }
    case BoundKind::equals:
    case BoundKind::one_of:
      return values(bound);
    case BoundKind::efficiency:
      return fmt::format("at least {} of the physical limit{}", percent(bound.pass),
                         beyond("below", percent(bound.pass), percent(bound.fail)));
    case BoundKind::peers:
      return "like its peers";
    case BoundKind::majority:
      return bound.values.empty() ? "as most of its peers"
                                  : values(bound) + " where any peer is, else as most of its peers";
    case BoundKind::no_change:
      if (bound.pass == 0 && bound.fail == 0) return "no growth";
      return "growth of at most " + amount(bound.pass) + beyond("above", amount(bound.pass), amount(bound.fail));
  }
  return "";
}

}  // namespace muster::healthcheck
