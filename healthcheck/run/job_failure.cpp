// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/job_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "results/strings/joined_phrases.hpp"

namespace muster::healthcheck {
namespace {

using Life = RankState::Life;

constexpr std::size_t max_ranks_named = 8;

std::uint64_t operation_of(std::uint64_t step) { return (step + 1) / 2; }
bool is_inside(std::uint64_t step) { return step % 2 == 1; }

std::string fate(const RankState& rank) {
  if (rank.life == Life::died) return "died";
  if (rank.life == Life::failed) return "failed: " + rank.words;
  return "went silent: it was stopped, or its host is gone";
}

std::vector<LostRank> those(std::span<const RankState> ranks, Life life) {
  std::vector<LostRank> found;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (ranks[rank].life == life) found.push_back({.rank = rank, .fate = fate(ranks[rank])});
  return found;
}

// Those between two operations, or those inside one, that are behind the step.
std::vector<LostRank> behind(std::span<const RankState> ranks, std::uint64_t step, bool within) {
  std::vector<LostRank> found;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto own = ranks[rank].step;
    if (own < step && is_inside(own) == within)
      found.push_back({.rank = rank,
                       .fate = fmt::format("never {} operation {}, which others have", within ? "left" : "entered",
                                           operation_of(within ? own : own + 1))});
  }
  return found;
}

std::vector<LostRank> laggards(std::span<const RankState> ranks) {
  const auto furthest = std::ranges::max(ranks, {}, &RankState::step).step;
  const auto entered = is_inside(furthest) ? furthest : furthest - std::min<std::uint64_t>(furthest, 1);
  if (auto found = behind(ranks, entered, false); !found.empty()) return found;
  return behind(ranks, furthest, true);
}

std::string said(std::span<const LostRank> lost, std::span<const std::string> hosts) {
  std::vector<std::string> sentences;
  for (const auto& [rank, fate] : lost) sentences.push_back(fmt::format("rank {} on {} {}", rank, hosts[rank], fate));
  return results::joined_phrases(std::move(sentences), max_ranks_named, ", ");
}

std::string nobody(std::span<const RankState> ranks) {
  if (std::ranges::any_of(ranks, &RankState::moving))
    return "all ranks still go on; give --timeout if they are only slow";
  const auto step = ranks.front().step;
  return fmt::format("all ranks are {} operation {}", is_inside(step) ? "inside" : "past", operation_of(step));
}

}  // namespace

std::vector<LostRank> lost_ranks(std::span<const RankState> ranks) {
  for (const auto life : {Life::died, Life::failed, Life::silent})
    if (auto found = those(ranks, life); !found.empty()) return found;
  if (std::ranges::any_of(ranks, &RankState::moving)) return {};
  return laggards(ranks);
}

JobFailure job_failure(std::span<const RankState> ranks, std::span<const std::string> hosts, double limit_seconds) {
  auto lost = lost_ranks(ranks);
  const auto life = lost.empty() ? Life::well : ranks[lost.front().rank].life;
  if (life == Life::died) return {results::Outcome::crashed, said(lost, hosts), std::move(lost)};
  if (life == Life::failed) return {results::Outcome::error, said(lost, hosts), std::move(lost)};
  return {results::Outcome::timed_out,
          fmt::format("the job did not end within {:.3g} s: {}", limit_seconds,
                      lost.empty() ? nobody(ranks) : said(lost, hosts)),
          std::move(lost)};
}

JobFailure failure_of_one(double limit_seconds) {
  return {results::Outcome::timed_out,
          fmt::format("did not end within {:.3g} s; give --timeout if it is only slow", limit_seconds),
          {}};
}

}  // namespace muster::healthcheck
