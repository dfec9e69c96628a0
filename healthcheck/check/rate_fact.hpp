// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "benchmarks/sampling/sampler.hpp"
#include "results/values/measurement.hpp"

namespace muster::healthcheck {

// What was sampled, as a fact whose value is its median.
results::Measurement rate_fact(std::string metric, const benchmarks::Sampled& sampled, results::Labels labels,
                               std::optional<results::Limit> limit = {});

}  // namespace muster::healthcheck
