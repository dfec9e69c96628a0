// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/culprit.hpp"

#include <algorithm>
#include <cmath>

#include "results/values/binomial.hpp"

namespace muster::benchmarks {
namespace {

constexpr double chance = 1e-4;
constexpr double clearly_below = 0.8;

// P(X >= hits) of a binomial distribution, by the logarithms of its terms.
double tail(std::size_t trials, std::size_t hits, double share) {
  double sum = 0;
  for (std::size_t each = hits; each <= trials; ++each) sum += std::exp(results::log_binomial(trials, each, share));
  return sum;
}

struct Member {
  std::size_t index = 0;
  double rate = 0;
  results::Interval interval;
};

// Of each sample: who spent the least time inside, and how much less than the others by their median.
struct Last {
  std::size_t rank = 0;
  double seconds = 0;
};

Last last_of(const std::vector<std::vector<double>>& seconds, std::size_t sample) {
  std::vector<double> all;
  for (const auto& rank : seconds) all.push_back(rank[sample]);
  const auto least = std::ranges::min_element(all);
  const auto rank = static_cast<std::size_t>(least - all.begin());
  const double own = *least;
  all.erase(least);
  return {.rank = rank, .seconds = results::median(all) - own};
}

}  // namespace

bool too_slow(const results::Stopping& stopping, const results::Summary& rate) {
  if (!stopping.pass_edge) return false;
  const double greatest = rate.median_interval ? rate.median_interval->high : rate.maximum;
  return stopping.decision == results::StoppingDecision::fail || greatest < *stopping.pass_edge;
}

void LateRanks::add(const std::vector<std::vector<double>>& seconds) {
  seconds_.resize(seconds.size());
  if (seconds.size() < 2) return;
  for (std::size_t sample = 0; sample < seconds.front().size(); ++sample) {
    const auto last = last_of(seconds, sample);
    seconds_[last.rank].push_back(last.seconds);
  }
}

std::optional<LateRank> LateRanks::worst() const {
  if (seconds_.size() < 2) return std::nullopt;
  std::size_t samples = 0;
  for (const auto& rank : seconds_) samples += rank.size();
  const auto most = std::ranges::max_element(seconds_, {}, [](const auto& each) { return each.size(); });
  const auto ranks = static_cast<double>(seconds_.size());
  if (tail(samples, most->size(), 1 / ranks) * ranks > chance) return std::nullopt;
  return LateRank{.rank = static_cast<std::size_t>(most - seconds_.begin()),
                  .share = static_cast<double>(most->size()) / static_cast<double>(samples),
                  .seconds = results::median(*most)};
}

std::vector<std::vector<Pair>> rounds(std::size_t members, std::size_t most) {
  if (members < 2) return {};
  const std::size_t seats = members + members % 2;  // an odd one out sits beside an empty seat
  std::vector<std::vector<Pair>> all;
  for (std::size_t turn = 0; turn < std::min(most, seats - 1); ++turn) {
    const auto at = [&](std::size_t seat) { return seat == 0 ? 0 : (seat - 1 + turn) % (seats - 1) + 1; };
    std::vector<Pair> round;
    for (std::size_t seat = 0; seat < seats / 2; ++seat) {
      const auto [one, other] = std::minmax({at(seat), at(seats - 1 - seat)});
      if (other < members) round.emplace_back(one, other);
    }
    all.push_back(std::move(round));
  }
  return all;
}

std::vector<std::optional<results::Summary>> best_rates(std::span<const PairRate> rates, std::size_t members) {
  std::vector<std::optional<results::Summary>> best(members);
  for (const auto& [pair, rate] : rates)
    for (const std::size_t member : {pair.first, pair.second})
      if (!best[member] || best[member]->median < rate.median) best[member] = rate;
  return best;
}

std::vector<std::size_t> slow_members(std::span<const std::optional<results::Summary>> best) {
  std::vector<Member> members;
  for (std::size_t index = 0; index < best.size(); ++index)
    if (const auto& rate = best[index])
      members.push_back({index, rate->median, rate->median_interval.value_or(results::Interval{0, rate->maximum})});
  std::ranges::sort(members, {}, &Member::rate);
  std::size_t slow = 0;
  double widest = 0;
  for (std::size_t below = 1; 2 * below < members.size(); ++below) {
    const double gap = members[below].rate / members[below - 1].rate;
    if (gap <= widest) continue;
    widest = gap;
    slow = below;
  }
  if (slow == 0) return {};
  const std::span<const Member> all(members);
  const auto high = [](const Member& member) { return member.interval.high; };
  const auto low = [](const Member& member) { return member.interval.low; };
  const double fastest_slow = high(*std::ranges::max_element(all.first(slow), {}, high));
  const double slowest_other = low(*std::ranges::min_element(all.subspan(slow), {}, low));
  if (fastest_slow >= clearly_below * slowest_other) return {};
  std::vector<std::size_t> found;
  for (const Member& member : all.first(slow)) found.push_back(member.index);
  std::ranges::sort(found);
  return found;
}

}  // namespace muster::benchmarks
