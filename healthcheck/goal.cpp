// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/goal.hpp"

#include "healthcheck/fact.hpp"

namespace muster::healthcheck {

benchmarks::Goal goal(const Profile& profile, const results::Selection& selection, std::string_view metric,
                      const results::Labels& labels, const std::optional<results::Limit>& limit) {
  for (const Expectation& expectation : profile.expectations) {
    const Bound& bound = expectation.bound;
    const bool by_limit = bound.kind == BoundKind::efficiency && limit;
    if (expectation.metric != metric || !in_force(expectation, selection) || !matches(labels, expectation.labels) ||
        (bound.kind != BoundKind::at_least && !by_limit))
      continue;
    const double unit = by_limit ? limit->value.value : 1;
    if (bound.fail * unit <= 0) continue;
    return {.edges = benchmarks::Edges{.pass = bound.pass * unit, .fail = bound.fail * unit},
            .noise = expectation.noise,
            .count = {}};
  }
  return {};
}

}  // namespace muster::healthcheck
