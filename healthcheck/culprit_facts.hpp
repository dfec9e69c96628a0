// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/culprit.hpp"
#include "healthcheck/collective_facts.hpp"
#include "healthcheck/context.hpp"

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

  // Metrics begin with the name of the check.
  CulpritFacts(Context& context, std::string check) : context_(context), check_(std::move(check)) {}

  // Remembers a collective that rank 0 found too slow.
  void look_at(const Measured& measured);
  // Exchanges what the fastest of them moved, but so many bytes at most, and less often where that would take long.
  void add(std::size_t most_bytes, const Exchange& exchange);

 private:
  struct Hosts {
    std::vector<std::string> names;
    std::vector<int> leaders;  // the rank that speaks for each
  };
  struct Suspect {
    results::Labels labels;
    double bytes = 0;
    double seconds = 0;  // of one call
    double lost = 0;     // seconds beyond the pass edge
    std::optional<benchmarks::LateRank> late;
  };

  Hosts hosts() const;
  std::vector<benchmarks::PairRate> pair_rates(const Hosts& job, const Amount& amount, const Exchange& exchange) const;
  Amount amount(std::size_t most_bytes) const;
  // Whether an exchange at this rate is a great part of the collective, or alone takes longer than all may: then a path
  // is slow, and ranks are late because of it.
  static bool is_path_slow(const Suspect& suspect, const results::Summary& rate);
  // Whether a path is slow and nobody can tell whose, and there is time to look again. The same on all ranks.
  bool is_unclear(const Hosts& hosts, std::span<const benchmarks::PairRate> rates,
                  std::chrono::steady_clock::duration look) const;
  // Both return whether they named anybody.
  bool add_slow_paths(const Hosts& hosts, std::span<const benchmarks::PairRate> rates);
  bool add_slow_pair(const Hosts& hosts, const benchmarks::PairRate& rate);
  void add_late_ranks(std::span<const benchmarks::PairRate> rates);
  std::string metric(std::string_view fact) const { return check_ + "." + std::string(fact); }

  Context& context_;
  std::string check_;
  std::vector<Suspect> suspects_;
};

}  // namespace muster::healthcheck
