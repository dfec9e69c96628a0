// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "benchmarks/sampling/stopping.hpp"
#include "healthcheck/expectations/profile.hpp"
#include "results/values/measurement.hpp"

namespace muster::healthcheck {

// The thresholds that judge() will hold what is measured against, and the noise that the profile states, from its first
// expectation in force that is at_least, or efficiency where there is a limit, or at_most. No thresholds where the
// profile has none.
benchmarks::SamplingGoal goal(const Profile& profile, const results::Selection& selection, std::string_view metric,
                              const results::Labels& labels, const std::optional<results::Limit>& limit);

}  // namespace muster::healthcheck
