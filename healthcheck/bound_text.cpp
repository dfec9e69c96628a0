// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "healthcheck/bound.hpp"

namespace muster::healthcheck {
namespace {

using results::to_text;

std::string edges(std::string_view words, const std::string& pass, std::string_view beyond, const std::string& fail) {
  if (pass == fail) return fmt::format("{} {}", words, pass);
  return fmt::format("{} {} (fails {} {})", words, pass, beyond, fail);
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

std::string to_text(const Expectation& expectation) {
  const Bound& bound = expectation.bound;
  const auto quantity = [&](double value) { return to_text(results::Quantity{value, bound.unit}); };
  switch (bound.kind) {
    case BoundKind::at_least:
      return edges("at least", quantity(bound.pass), "below", quantity(bound.fail));
    case BoundKind::at_most:
      return edges("at most", quantity(bound.pass), "above", quantity(bound.fail));
    case BoundKind::within:
      return edges("within", range(bound.pass_range, bound.unit), "outside", range(bound.fail_range, bound.unit));
    case BoundKind::equals:
    case BoundKind::one_of:
      return values(bound);
    case BoundKind::efficiency:
      return edges("at least", percent(bound.pass), "below", percent(bound.fail)) + " of the physical limit";
    case BoundKind::peers:
      return "like its peers";
    case BoundKind::majority:
      return "as most of its peers";
    case BoundKind::no_change:
      if (bound.pass == 0 && bound.fail == 0) return "no growth";
      return edges("growth of at most", quantity(bound.pass), "above", quantity(bound.fail));
  }
  return "";
}

}  // namespace muster::healthcheck
