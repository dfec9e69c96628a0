// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/collectives/collective.hpp"
#include "benchmarks/sampling/culprit.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/parts/collectives/collective_facts.hpp"

namespace muster::healthcheck {

// Who makes the collectives of a job slow: asked only where one was not as expected. First the paths, because a slow
// one makes innocents late; then the ranks. All ranks make the same calls.
class CulpritFacts {
 public:
  struct Amount {
    std::size_t bytes = 0;  // of one exchange
    std::size_t exchanges = 0;
  };
  // The rates of exchanges with one other rank, which makes the same call.
  using Exchange = std::function<std::vector<double>(int partner, const Amount& amount)>;
  // What this rank has for itself, its GPU and the NIC beside it; empty where the ranks of a host share what carries
  // their data.
  using Place = std::function<results::Labels()>;

  // Metrics begin with the name of the check.
  CulpritFacts(Context& context, std::string check, Place place)
      : context_(context), check_(std::move(check)), place_(std::move(place)) {}

  // Remembers a collective of all ranks that rank 0 found too slow.
  void look_at(const benchmarks::Collective& collective, const Measured& measured);
  // All ranks of two hosts exchange at once, the first with the first and so on: what the largest of those collectives,
  // of several the fastest, had to move between hosts, or a part of it where all would take long. Few bytes would fit
  // into what lets bursts pass on a slow path.
  void add(const Exchange& exchange);

 private:
  struct Job {
    std::vector<std::string> hosts;
    std::vector<std::vector<std::size_t>> ranks;  // of each
    std::size_t lanes = 0;                        // how many ranks every host has at least
  };
  // By numbers of hosts, all lanes together, and by ranks. On rank 0.
  struct Rates {
    std::vector<benchmarks::PairRate> hosts;
    std::vector<benchmarks::PairRate> ranks;
  };
  struct Suspect {
    results::Labels labels;
    double inter_host_bytes = 0;  // bytes that must leave a host in one call
    double seconds = 0;           // of one call
    double allowed = 0;           // by the pass threshold
    bool failed = false;          // it is worse than between its thresholds
    std::optional<benchmarks::LateRank> late;

    // Whether at such a rate between two hosts no call could be as fast as it should: then ranks are late because of
    // it.
    bool is_held_up(const results::Summary& rate) const { return inter_host_bytes / rate.median > allowed; }
  };

  Job job() const;
  Amount amount(std::size_t lanes) const;
  Rates exchange_all(const Job& job, const Amount& amount, const Exchange& exchange) const;
  // Whether a path is slow and nobody can tell whose, and there is time to look again. The same on all ranks.
  bool is_unclear(const Job& job, const Rates& rates, std::chrono::steady_clock::duration look) const;
  // Each names what is slow, or nothing: ranks' own ways, which say most; whole hosts; a pair of two.
  std::vector<results::Measurement> slow_paths(const Job& job, const Rates& rates) const;
  std::vector<results::Measurement> slow_ways(const Job& job, std::span<const benchmarks::PairRate> rates) const;
  std::vector<results::Measurement> slow_hosts(const Job& job, std::span<const benchmarks::PairRate> rates) const;
  std::vector<results::Measurement> slow_pair(const Job& job, const results::Summary& rate) const;
  std::vector<results::Measurement> late_ranks(std::span<const benchmarks::PairRate> rates) const;
  results::Measurement slow_path(std::string words, results::Labels labels) const;
  // The rank with its place, and the host.
  results::Labels labels_of(std::size_t rank) const;
  bool all_have_places() const;
  std::string metric(std::string_view fact) const { return results::metric_name(check_, fact); }

  Context& context_;
  std::string check_;
  Place place_;
  std::vector<results::Labels> places_;  // by rank, on rank 0
  std::vector<Suspect> suspects_;
};

}  // namespace muster::healthcheck
