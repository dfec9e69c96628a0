// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/culprit_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <ranges>
#include <utility>

#include "benchmarks/collectives/inter_host_bytes.hpp"
#include "healthcheck/check/job.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::PairRate;
using results::Labels;
using results::Measurement;
using results::Quantity;
using results::Unit;
using Clock = std::chrono::steady_clock;

constexpr double exchange_seconds = 2.5;  // of all with one partner, about
constexpr double long_exchange = 20e-3;   // seconds; longer ones say no more
constexpr double min_bytes = 1UL << 20;   // that are exchanged in any case where the collective moved as many
constexpr double min_exchanges = 6;       // a median has an interval from there on
constexpr double max_exchanges = 25;
constexpr double explains = 0.5;  // the share of the lost time that a late rank must account for

// What the slower end saw of each exchange: who only sends may be done before the other has it all.
std::vector<double> lower(std::vector<double> one, const std::vector<double>& other) {
  std::ranges::transform(one, other, one.begin(), [](double left, double right) { return std::min(left, right); });
  return one;
}

std::vector<double> sum_of(std::vector<double> one, const std::vector<double>& other) {
  one.resize(other.size());
  std::ranges::transform(one, other, one.begin(), std::plus());
  return one;
}

results::Summary summary_of_rates(std::vector<double> rates) {
  return results::summarize({.unit = Unit::byte_per_second, .values = std::move(rates)});
}

std::string text(double rate) { return results::to_text(Quantity{rate, Unit::byte_per_second}); }

double median_of(const std::optional<results::Summary>& rate) { return rate ? rate->median : 0; }

// What the best pair carries, and that of the fastest `member`.
std::string beside_fastest(std::span<const std::optional<results::Summary>> best, std::size_t slow,
                           std::string_view member) {
  return fmt::format("its best pair carries {}, that of the fastest {} {}", text(median_of(best[slow])), member,
                     text(std::ranges::max(best | std::views::transform(median_of))));
}

// None of no pairs.
std::optional<results::Summary> slowest(std::span<const PairRate> rates) {
  const auto found = std::ranges::min_element(rates, {}, [](const auto& each) { return each.rate.median; });
  return found == rates.end() ? std::nullopt : std::optional(found->rate);
}

// Of two looks at the same pairs.
std::vector<PairRate> faster(std::vector<PairRate> one, const std::vector<PairRate>& other) {
  std::ranges::transform(one, other, one.begin(), [](const auto& left, const auto& right) {
    return left.rate.median < right.rate.median ? right : left;
  });
  return one;
}

// Of two hosts, whose ranks were found one after the other, each with the partner that it alone has: nobody can tell
// which end it is. What only one of them tells of itself is left out.
std::vector<Measurement> joined_ends(const std::vector<Measurement>& ends) {
  const auto lanes = static_cast<std::ptrdiff_t>(ends.size() / 2);
  std::vector<Measurement> found(ends.begin(), ends.begin() + lanes);
  for (std::size_t lane = 0; lane < found.size(); ++lane) {
    std::get<std::string>(found[lane].value) += "; it is unclear which end is slow";
    auto& labels = found[lane].labels;
    const auto& partners = ends[lane + found.size()].labels;
    std::erase_if(labels, [&](const auto& label) { return !partners.contains(label.first); });
    for (auto& [name, value] : labels) value += " " + partners.at(name);
  }
  return found;
}

}  // namespace

void CulpritFacts::look_at(const benchmarks::Collective& collective, const Measured& measured) {
  auto& ranks = context_.ranks();
  const bool suspicious = ranks.rank() == 0 && benchmarks::too_slow(measured.stopping, measured.rate);
  if (ranks.max(suspicious ? 1 : 0) == 0) return;
  benchmarks::LateRanks late;
  gather_in_parts(ranks, measured.seconds, [&](const auto& part) { late.add(part); });
  double inter_host_bytes = 0;
  for (const auto& [host, bytes] : benchmarks::inter_host_bytes(collective, measured.bytes, context_.hosts()))
    inter_host_bytes = std::max(inter_host_bytes, bytes);
  suspects_.push_back({.labels = measured.labels,
                       .inter_host_bytes = inter_host_bytes,
                       .seconds = measured.time.median,
                       .allowed = measured.work() / measured.stopping.pass_edge.value_or(measured.rate.median),
                       .failed = measured.stopping.decision != results::StoppingDecision::pass,
                       .late = late.worst()});
}

void CulpritFacts::add(const Exchange& exchange) {
  if (suspects_.empty()) return;
  for (auto& each : gather_facts(context_.ranks(), {{.metric = "place", .labels = place_()}}))
    places_.push_back(std::move(each.labels));
  const auto all = job();
  const auto each = amount(all.lanes);
  const auto start = Clock::now();
  auto rates = exchange_all(all, each, exchange);
  if (is_unclear(all, rates, Clock::now() - start)) {
    auto again = exchange_all(all, each, exchange);
    rates = {.hosts = faster(std::move(rates.hosts), again.hosts),
             .ranks = faster(std::move(rates.ranks), again.ranks)};
  }
  if (context_.ranks().rank() != 0) return;
  for (const auto& [pair, rate] : rates.hosts)
    context_.add({.metric = metric("pair_bandwidth"),
                  .value = Quantity{rate.median, Unit::byte_per_second},
                  .labels = {{"host", all.hosts[pair.first] + " " + all.hosts[pair.second]}},
                  .summary = rate,
                  .stopping = {},
                  .limit = {}});
  const auto slow = slow_paths(all, rates);
  context_.add(slow.empty() ? late_ranks(rates.hosts) : slow);
}

bool CulpritFacts::is_unclear(const Job& job, const Rates& rates, Clock::duration look) const {
  const auto rate = slowest(rates.hosts);
  const bool is_unclear = rates.hosts.size() > 1 && context_.deadline() - Clock::now() > look &&
                          std::ranges::any_of(suspects_, [&](const auto& each) { return each.is_held_up(*rate); }) &&
                          slow_paths(job, rates).empty();
  return context_.ranks().max(is_unclear ? 1 : 0) > 0;
}

CulpritFacts::Job CulpritFacts::job() const {
  Job found;
  const auto& by_rank = context_.hosts();
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    const auto host = std::ranges::find(found.hosts, by_rank[rank]);
    const auto number = static_cast<std::size_t>(host - found.hosts.begin());
    if (host == found.hosts.end()) {
      found.hosts.push_back(by_rank[rank]);
      found.ranks.emplace_back();
    }
    found.ranks[number].push_back(rank);
  }
  found.lanes = std::ranges::min(found.ranks, {}, &std::vector<std::size_t>::size).size();
  return found;
}

CulpritFacts::Amount CulpritFacts::amount(std::size_t lanes) const {
  const auto& largest = *std::ranges::max_element(
      suspects_, {}, [](const Suspect& each) { return std::pair(each.inter_host_bytes, -each.seconds); });
  const double share = largest.inter_host_bytes / static_cast<double>(lanes);
  if (share == 0) return {};  // of one host
  const double bytes = std::ceil(std::min(share, std::max(min_bytes, share * long_exchange / largest.seconds)));
  const double seconds = largest.seconds * bytes / share;
  return {.bytes = static_cast<std::size_t>(bytes),
          .exchanges = static_cast<std::size_t>(std::clamp(exchange_seconds / seconds, min_exchanges, max_exchanges))};
}

CulpritFacts::Rates CulpritFacts::exchange_all(const Job& job, const Amount& amount, const Exchange& exchange) const {
  auto& ranks = context_.ranks();
  context_.phase("exchanging between pairs of hosts");
  Rates rates;
  for (const auto& round : benchmarks::rounds(job.hosts.size(), benchmarks::enough_rounds)) {
    std::vector<benchmarks::Pair> pairs;  // of ranks
    for (const auto& [one, other] : round)
      for (std::size_t lane = 0; lane < job.lanes; ++lane)
        pairs.emplace_back(job.ranks[one][lane], job.ranks[other][lane]);
    const auto own = static_cast<std::size_t>(ranks.rank());
    std::vector<double> mine;
    ranks.barrier();
    {
      const benchmarks::Steps::Inside inside(ranks.steps());
      for (const auto& [one, other] : pairs)
        if (own == one || own == other) mine = exchange(static_cast<int>(own == one ? other : one), amount);
    }
    const auto all = gather_numbers(ranks, mine);
    if (ranks.rank() != 0) continue;
    for (std::size_t at = 0; at < round.size(); ++at) {
      std::vector<double> together;
      for (const auto& pair : std::span(pairs).subspan(at * job.lanes, job.lanes)) {
        auto of_lane = lower(all[pair.first], all[pair.second]);
        together = sum_of(std::move(together), of_lane);
        rates.ranks.push_back({.pair = pair, .rate = summary_of_rates(std::move(of_lane))});
      }
      rates.hosts.push_back({.pair = round[at], .rate = summary_of_rates(std::move(together))});
    }
  }
  return rates;
}

std::vector<Measurement> CulpritFacts::slow_paths(const Job& job, const Rates& rates) const {
  if (rates.hosts.empty()) return {};
  if (all_have_places())
    if (auto found = slow_ways(job, rates.ranks); !found.empty()) return found;
  return rates.hosts.size() == 1 ? slow_pair(job, rates.hosts.front().rate) : slow_hosts(job, rates.hosts);
}

std::vector<Measurement> CulpritFacts::slow_ways(const Job& job, std::span<const PairRate> rates) const {
  const auto best = benchmarks::best_rates(rates, context_.hosts().size());
  const auto slow = benchmarks::slow_members(best);
  std::vector<Measurement> found;
  for (std::size_t host = 0; host < job.hosts.size(); ++host) {
    std::vector<std::size_t> ranks;
    std::ranges::set_intersection(job.ranks[host], slow, std::back_inserter(ranks));
    const bool is_whole = ranks.size() > 1 && ranks.size() == job.lanes;
    if (is_whole) ranks.resize(1);
    for (const std::size_t rank : ranks)
      found.push_back(slow_path(beside_fastest(best, rank, "rank"),
                                is_whole ? Labels{{"host", job.hosts[host]}} : labels_of(rank)));
  }
  return job.hosts.size() == 2 ? joined_ends(found) : found;
}

std::vector<Measurement> CulpritFacts::slow_hosts(const Job& job, std::span<const PairRate> rates) const {
  const auto best = benchmarks::best_rates(rates, job.hosts.size());
  std::vector<Measurement> found;
  for (const std::size_t host : benchmarks::slow_members(best))
    found.push_back(slow_path(beside_fastest(best, host, "host"), {{"host", job.hosts[host]}}));
  return found;
}

std::vector<Measurement> CulpritFacts::slow_pair(const Job& job, const results::Summary& rate) const {
  if (std::ranges::none_of(suspects_, [&](const auto& each) { return each.is_held_up(rate); })) return {};
  return {slow_path(fmt::format("they exchange {}; it is unclear which end is slow", text(rate.median)),
                    {{"host", job.hosts[0] + " " + job.hosts[1]}})};
}

std::vector<Measurement> CulpritFacts::late_ranks(std::span<const PairRate> rates) const {
  const auto rate = slowest(rates);
  std::vector<Measurement> found;
  for (const Suspect& suspect : suspects_) {
    if (rate && suspect.is_held_up(*rate)) continue;
    if (!suspect.late || suspect.late->seconds < explains * (suspect.seconds - suspect.allowed)) continue;
    auto labels = suspect.labels;
    labels.merge(labels_of(suspect.late->rank));
    found.push_back(
        {.metric = metric(suspect.failed ? "late_rank" : "suspected_rank"),
         .value = fmt::format("entered last in {:.0f} % of the samples, {} after the others", 100 * suspect.late->share,
                              results::to_text(Quantity{suspect.late->seconds, Unit::second})),
         .labels = std::move(labels)});
  }
  return found;
}

Measurement CulpritFacts::slow_path(std::string words, Labels labels) const {
  const bool is_worse = std::ranges::any_of(suspects_, &Suspect::failed);
  return {.metric = metric(is_worse ? "slow_path" : "suspected_path"),
          .value = std::move(words),
          .labels = std::move(labels)};
}

Labels CulpritFacts::labels_of(std::size_t rank) const {
  auto labels = places_[rank];
  labels.emplace("rank", std::to_string(rank));
  labels.emplace("host", context_.hosts()[rank]);
  return labels;
}

bool CulpritFacts::all_have_places() const {
  return std::ranges::none_of(places_, [](const Labels& place) { return place.empty(); });
}

}  // namespace muster::healthcheck
