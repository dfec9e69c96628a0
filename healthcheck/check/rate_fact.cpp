// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/check/rate_fact.hpp"

#include <utility>

namespace muster::healthcheck {

results::Measurement rate_fact(std::string metric, const benchmarks::Sampled& sampled, results::Labels labels,
                               std::optional<results::Limit> limit) {
  const auto summary = results::summarize(sampled.samples);
  return {.metric = std::move(metric),
          .value = results::Quantity{summary.median, sampled.samples.unit},
          .labels = std::move(labels),
          .summary = summary,
          .stopping = sampled.stopping,
          .limit = std::move(limit)};
}

}  // namespace muster::healthcheck
