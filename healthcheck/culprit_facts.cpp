// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/culprit_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;
using results::Quantity;
using results::Unit;

constexpr double exchange_seconds = 2.5;  // of all with one partner, about
constexpr double least_exchanges = 6;     // a median has an interval from there on
constexpr double most_exchanges = 25;
constexpr double explains = 0.5;  // the share of the time that a culprit must account for

// What the slower end saw of each exchange: who only sends may be done before the other has it all.
std::vector<double> lower(std::vector<double> one, const std::vector<double>& other) {
  std::ranges::transform(one, other, one.begin(), [](double left, double right) { return std::min(left, right); });
  return one;
}

double greatest(std::span<const std::optional<results::Summary>> rates) {
  double found = 0;
  for (const auto& rate : rates)
    if (rate) found = std::max(found, rate->median);
  return found;
}

// None of no pairs.
std::optional<results::Summary> slowest(std::span<const benchmarks::PairRate> rates) {
  const auto found = std::ranges::min_element(rates, {}, [](const auto& each) { return each.rate.median; });
  return found == rates.end() ? std::nullopt : std::optional(found->rate);
}

// Of two looks at the same pairs.
std::vector<benchmarks::PairRate> faster(std::vector<benchmarks::PairRate> one,
                                         const std::vector<benchmarks::PairRate>& other) {
  std::ranges::transform(one, other, one.begin(), [](const auto& left, const auto& right) {
    return left.rate.median < right.rate.median ? right : left;
  });
  return one;
}

Quantity rate_of(double value) { return {.value = value, .unit = Unit::byte_per_second}; }

}  // namespace

void CulpritFacts::look_at(const Measured& measured) {
  auto& ranks = context_.ranks();
  const bool suspicious = ranks.rank() == 0 && benchmarks::too_slow(measured.stopping, measured.rate);
  if (ranks.max(suspicious ? 1 : 0) == 0) return;
  benchmarks::LateRanks late;
  gather_in_parts(ranks, measured.seconds, [&](const auto& part) { late.add(part); });
  const double seconds = measured.time.median;
  const auto& pass_edge = measured.stopping.pass_edge;
  suspects_.push_back({.labels = measured.labels,
                       .bytes = static_cast<double>(measured.bytes),
                       .seconds = seconds,
                       .lost = pass_edge ? seconds - measured.work() / *pass_edge : 0,
                       .late = late.worst()});
}

void CulpritFacts::add(std::size_t most_bytes, const Exchange& exchange) {
  if (suspects_.empty()) return;
  const auto job = hosts();
  const auto each = amount(most_bytes);
  const auto start = Clock::now();
  auto rates = pair_rates(job, each, exchange);
  if (is_unclear(job, rates, Clock::now() - start)) rates = faster(std::move(rates), pair_rates(job, each, exchange));
  if (context_.ranks().rank() != 0) return;
  for (const auto& [pair, rate] : rates)
    context_.add({.metric = metric("pair_bandwidth"),
                  .value = rate_of(rate.median),
                  .labels = {{"host", job.names[pair.first] + " " + job.names[pair.second]}},
                  .summary = rate,
                  .stopping = {},
                  .limit = {}});
  const bool named = rates.size() == 1 ? add_slow_pair(job, rates.front()) : add_slow_paths(job, rates);
  if (!named) add_late_ranks(rates);
}

bool CulpritFacts::is_path_slow(const Suspect& suspect, const results::Summary& rate) {
  const double seconds = suspect.bytes / rate.median;
  return seconds >= explains * suspect.seconds || (suspect.lost > 0 && seconds > suspect.seconds - suspect.lost);
}

bool CulpritFacts::is_unclear(const Hosts& job, std::span<const benchmarks::PairRate> rates,
                              Clock::duration look) const {
  const auto rate = slowest(rates);
  const bool is_so = rates.size() > 1 && context_.deadline() - Clock::now() > look &&
                     std::ranges::any_of(suspects_, [&](const auto& each) { return is_path_slow(each, *rate); }) &&
                     benchmarks::slow_members(benchmarks::best_rates(rates, job.names.size())).empty();
  return context_.ranks().max(is_so ? 1 : 0) > 0;
}

CulpritFacts::Hosts CulpritFacts::hosts() const {
  Hosts found;
  const auto& by_rank = context_.hosts();
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    if (std::ranges::find(found.names, by_rank[rank]) == found.names.end()) {
      found.names.push_back(by_rank[rank]);
      found.leaders.push_back(static_cast<int>(rank));
    }
  return found;
}

std::vector<benchmarks::PairRate> CulpritFacts::pair_rates(const Hosts& job, const Amount& amount,
                                                           const Exchange& exchange) const {
  auto& ranks = context_.ranks();
  context_.phase("exchanging between pairs of hosts");
  const auto leader = std::ranges::find(job.leaders, ranks.rank());
  const auto own = static_cast<std::size_t>(leader - job.leaders.begin());
  std::vector<benchmarks::PairRate> rates;
  for (const auto& round : benchmarks::rounds(job.names.size(), benchmarks::enough_rounds)) {
    std::vector<double> mine;
    ranks.barrier();
    {
      const benchmarks::Steps::Inside inside(ranks.steps());
      for (const auto& [one, other] : round)
        if (own == one || own == other) mine = exchange(job.leaders[own == one ? other : one], amount);
    }
    const auto all = gather_numbers(ranks, mine);
    if (ranks.rank() != 0) continue;
    const auto of = [&](std::size_t host) { return all[static_cast<std::size_t>(job.leaders[host])]; };
    for (const auto& pair : round)
      rates.push_back({.pair = pair,
                       .rate = results::summarize(
                           {.unit = Unit::byte_per_second, .values = lower(of(pair.first), of(pair.second))})});
  }
  return rates;
}

CulpritFacts::Amount CulpritFacts::amount(std::size_t most_bytes) const {
  const auto& fastest =
      *std::ranges::max_element(suspects_, {}, [](const Suspect& each) { return each.bytes / each.seconds; });
  const double bytes = std::min(fastest.bytes, static_cast<double>(most_bytes));
  const double seconds = fastest.seconds * bytes / fastest.bytes;
  return {
      .bytes = static_cast<std::size_t>(bytes),
      .exchanges = static_cast<std::size_t>(std::clamp(exchange_seconds / seconds, least_exchanges, most_exchanges))};
}

bool CulpritFacts::add_slow_paths(const Hosts& job, std::span<const benchmarks::PairRate> rates) {
  const auto best = benchmarks::best_rates(rates, job.names.size());
  const auto slow = benchmarks::slow_members(best);
  for (const std::size_t host : slow)
    if (const auto& rate = best[host])
      context_.add(metric("slow_path"),
                   fmt::format("its best pair carries {}, that of the fastest host {}",
                               results::to_text(rate_of(rate->median)), results::to_text(rate_of(greatest(best)))),
                   {{"host", job.names[host]}});
  return !slow.empty();
}

bool CulpritFacts::add_slow_pair(const Hosts& job, const benchmarks::PairRate& rate) {
  if (std::ranges::none_of(suspects_, [&](const auto& each) { return is_path_slow(each, rate.rate); })) return false;
  context_.add(
      metric("slow_path"),
      fmt::format("they exchange {}; nobody can tell which end is slow", results::to_text(rate_of(rate.rate.median))),
      {{"host", job.names[0] + " " + job.names[1]}});
  return true;
}

void CulpritFacts::add_late_ranks(std::span<const benchmarks::PairRate> rates) {
  const auto rate = slowest(rates);
  for (const Suspect& suspect : suspects_) {
    if (rate && is_path_slow(suspect, *rate)) continue;
    if (!suspect.late || suspect.late->seconds < explains * suspect.lost) continue;
    auto labels = suspect.labels;
    labels.emplace("rank", std::to_string(suspect.late->rank));
    labels.emplace("host", context_.hosts()[suspect.late->rank]);
    context_.add(metric("late_rank"),
                 fmt::format("entered last in {:.0f} % of the samples, {} after the others", 100 * suspect.late->share,
                             results::to_text(Quantity{suspect.late->seconds, Unit::second})),
                 labels);
  }
}

}  // namespace muster::healthcheck
