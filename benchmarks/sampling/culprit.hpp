// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "results/values/measurement.hpp"
#include "results/values/samples.hpp"

// Who makes a collective slow. Pure: times and rates go in, names come out, and nobody is named by chance.
namespace muster::benchmarks {

// Whether somebody should be looked for: the rate was decided to fail, or as far as it is known it lies below the
// threshold that passes, be it decided that it does not fail. A healthy one that only took too long to decide accuses
// nobody.
bool too_slow(const results::Stopping& stopping, const results::Summary& rate);

// The rank that came late: who enters a collective last spends the least time inside.
struct LateRank {
  std::size_t rank = 0;
  double share = 0;    // of the samples in which it was the last
  double seconds = 0;  // after the others, by the median
};

class LateRanks {
 public:
  // `seconds` holds, for each rank, the time inside the collective of every sample, or of the next ones.
  void add(const std::vector<std::vector<double>>& seconds);
  // Nobody where no rank was last more often than ranks that take turns by chance are in one of 10,000 runs (binomial),
  // or fewer than two ranks took part.
  std::optional<LateRank> worst() const;

 private:
  std::vector<std::vector<double>> seconds_;  // after the others, of the samples in which each rank was the last
};

using Pair = std::pair<std::size_t, std::size_t>;

// Rounds in which everybody of `members` meets one other, and nobody the same twice (circle method); with an odd number
// one is idle. At most `most` rounds, fewer where all have met.
std::vector<std::vector<Pair>> rounds(std::size_t members, std::size_t most);

struct PairRate {
  Pair pair;
  results::Summary rate;
};

// Enough to tell a slow member from those that it meets.
constexpr std::size_t enough_rounds = 3;

// Each member's best pair: a slow link spoils all pairs of its host, and at most one of any other host. Nothing for
// members without a pair.
std::vector<std::optional<results::Summary>> best_rates(std::span<const PairRate> rates, std::size_t members);

// Members below the widest gap between best rates, when it is clear: their intervals lie below 0.8 of all others'. They
// are fewer than half, so two alone cannot tell which end is slow.
std::vector<std::size_t> slow_members(std::span<const std::optional<results::Summary>> best);

}  // namespace muster::benchmarks
