// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/sampling_goal.hpp"

#include <algorithm>

#include "healthcheck/judge/fact.hpp"

namespace muster::healthcheck {

benchmarks::SamplingGoal goal(const Profile& profile, const results::Selection& selection, std::string_view metric,
                              const results::Labels& labels, const std::optional<results::Limit>& limit) {
  for (const auto kind : {BoundKind::at_least, BoundKind::efficiency, BoundKind::at_most}) {
    const double unit = kind != BoundKind::efficiency ? 1 : limit ? limit->value.value : 0;
    for (const Expectation& expectation : profile.expectations) {
      const Bound& bound = expectation.bound;
      if (bound.kind != kind || expectation.metric != metric || std::min(bound.pass, bound.fail) * unit <= 0 ||
          !in_force(expectation, selection) || !matches(labels, expectation.labels))
        continue;
      return {.thresholds = benchmarks::Thresholds{.pass = bound.pass * unit, .fail = bound.fail * unit},
              .noise = expectation.noise,
              .count = {}};
    }
  }
  return {};
}

}  // namespace muster::healthcheck
