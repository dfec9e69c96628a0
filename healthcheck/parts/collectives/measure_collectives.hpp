// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "benchmarks/collectives/timed_collective.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/collectives/collective_facts.hpp"
#include "healthcheck/parts/collectives/collective_options.hpp"
#include "healthcheck/parts/collectives/culprit_facts.hpp"
#include "healthcheck/parts/collectives/groups.hpp"

namespace muster::healthcheck {

// What moves the data, and among whom.
struct CollectiveBackend {
  const RankGroup& members;
  // A collective of S bytes (benchmarks/collectives/collective.hpp), so many calls to a sample.
  std::function<std::unique_ptr<benchmarks::TimedCollective>(const benchmarks::Collective&, std::size_t bytes,
                                                             std::size_t calls)>
      make;
  CulpritFacts::Exchange exchange;
  CulpritFacts::Place place = [] { return results::Labels(); };
  // The physical limit of the rate of what was made last and has run; all ranks ask.
  std::function<std::optional<results::Limit>()> limit = [] { return std::nullopt; };
  // Whether what leaves a host passes its NICs; all ranks ask, after all was measured.
  std::function<bool()> passes_nics = [] { return true; };
  // Facts of its own about a size that was measured.
  std::function<void(const Measured&)> add_facts = [](const Measured&) {};
};

// Measures collectives of all sizes that the options name, and reports what was found, in metrics that begin with the
// name of the check: rates, times, wrong elements, what NICs sent, and who made it slow. In groups the rate is that of
// the slowest. All ranks make the same call.
void measure_collectives(Context& context, const std::string& check, const CollectiveOptions& options,
                         std::span<const benchmarks::Collective> collectives, const CollectiveBackend& mover);

// Adds the wrong elements of a sample to what was measured.
void add_sample(Measured& measured, const benchmarks::WrongElements& found, std::size_t sample);

}  // namespace muster::healthcheck
