// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/measure_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <vector>

#include "benchmarks/host/locked_memory.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "benchmarks/sampling/sizes.hpp"
#include "healthcheck/parts/collectives/rank_cpus.hpp"
#include "healthcheck/parts/collectives/traffic_facts.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::Collective;
using results::Unit;
using Clock = std::chrono::steady_clock;

constexpr double min_sample_seconds = 50e-6;          // so that the clock's resolution and its calls stay below 1 %
constexpr std::chrono::milliseconds quick_time{600};  // of all sizes together
constexpr std::chrono::milliseconds full_time{30000};
constexpr std::size_t max_calls = 64;
constexpr std::size_t tell_who_is_late = 20;  // samples; as many as nobody fails before
constexpr std::size_t max_samples = 1'000'000;

struct Time {
  Clock::duration most;    // to tell thresholds apart; the healthy need a few samples
  Clock::duration enough;  // where there are none
};

results::Labels labels_of(const Collective& collective, const CollectiveOptions& options, const RankGroup& members) {
  auto labels = healthcheck::labels_of(collective);
  labels.insert(members.span_labels().begin(), members.span_labels().end());
  if (!options.split().empty()) labels.emplace("split", options.split());
  return labels;
}

// As many calls as last long enough to be timed.
std::size_t calls(benchmarks::Ranks& ranks, const CollectiveBackend& mover, const Collective& collective,
                  std::size_t bytes) {
  const auto one = mover.make(collective, bytes, 1);
  one->prepare(0);
  double seconds = 0;
  for (int call = 0; call < 3; ++call) seconds = ranks.max(one->seconds());
  return static_cast<std::size_t>(
      std::clamp(std::ceil(min_sample_seconds / seconds), 1.0, static_cast<double>(max_calls)));
}

Measured measure(Context& context, const std::string& metric, const CollectiveOptions& options,
                 const CollectiveBackend& mover, const Collective& collective, std::size_t bytes, const Time& time) {
  auto& ranks = context.ranks();
  const int size = mover.members.ranks().size();
  Measured measured{.labels = labels_of(collective, options, mover.members),
                    .bytes = bytes,
                    .groups = mover.members.groups(),
                    .factor = size == 1 ? 0 : bus_factor(collective.operation, size)};
  measured.labels.emplace("size", benchmarks::size_text(bytes));
  context.phase(fmt::format("measuring {}", results::to_text(measured.labels)));

  const auto number = calls(ranks, mover, collective, bytes);
  measured.limit = mover.limit();
  const auto timed = mover.make(collective, bytes, number);
  const auto once = [&] {
    const auto sample = measured.seconds.size();
    timed->prepare(sample * number);
    measured.seconds.push_back(timed->seconds() / static_cast<double>(number));
    add_sample(measured, timed->verify(), sample);
    return measured.work() / ranks.max(measured.seconds.back());
  };
  auto goal = context.goal(metric, measured.labels, measured.limit);
  if (options.iterations()) goal = {.thresholds = {}, .noise = {}, .count = options.iterations()};
  auto end = context.deadline();
  if (!goal.count) end = Clock::now() + (goal.thresholds ? time.most : std::min(time.most, time.enough));
  measured.seconds.reserve(max_samples);
  measured.sum_up(sample(ranks, once, Unit::byte_per_second, goal, {.end = end, .most = max_samples}));
  // One that is slow and does not fail may be decided sooner than a late rank can be told from chance.
  const auto more = [&] {
    return ranks.rank() == 0 && measured.seconds.size() < tell_who_is_late && Clock::now() < context.deadline() &&
           benchmarks::too_slow(measured.stopping, measured.rate);
  };
  while (ranks.max(more() ? 1 : 0) > 0) once();
  measured.calls = number * measured.seconds.size();
  return measured;
}

// What RDMA can register. A library that gets too little goes another way, and says nothing.
void add_locked_memory(Context& context, const std::string& check) {
  auto& ranks = context.ranks();
  context.phase("locking memory");
  double own = 0;
  together(ranks, [&] { own = static_cast<double>(benchmarks::host::lockable_bytes()); });
  const auto all = gather_numbers(ranks, std::span(&own, 1));
  if (ranks.rank() != 0) return;
  std::map<std::string, double> least;  // of the ranks of a host
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto host = least.try_emplace(context.hosts()[rank], all[rank].front()).first;
    host->second = std::min(host->second, all[rank].front());
  }
  for (const auto& [host, bytes] : least)
    context.add(results::metric_name(check, "locked_memory"), results::Quantity{bytes, Unit::byte}, {{"host", host}});
}

}  // namespace

void measure_collectives(Context& context, const std::string& check, const CollectiveOptions& options,
                         std::span<const Collective> collectives, const CollectiveBackend& mover) {
  for (const auto& [label, values] : options.selected(context.tier())) context.select(label, values);
  add_locked_memory(context, check);
  add_rank_cpus(context, check);
  const auto all = options.sizes(context.tier());
  auto left = static_cast<int>(all.size() * collectives.size());
  const auto enough = (context.tier() == results::Tier::full ? full_time : quick_time) / left;
  CollectiveFacts facts(context, check);
  CulpritFacts culprit(context, check, mover.place);
  TrafficFacts traffic(context, check);
  for (const Collective& collective : collectives) {
    std::vector<benchmarks::Timed> timed;
    for (const std::size_t bytes : all) {
      const auto share = (context.deadline() - Clock::now()) / left--;
      const auto moved = moved_bytes(collective, bytes, mover.members.ranks().size());
      if (moved == 0) continue;
      const auto measured =
          measure(context, facts.rate_metric(), options, mover, collective, moved, {.most = share, .enough = enough});
      traffic.count(collective, moved, measured.calls, measured.groups);
      facts.add(measured);
      timed.push_back({.bytes = static_cast<double>(moved), .seconds = measured.time.median});
      mover.add_facts(measured);
      if (mover.members.groups().empty()) culprit.look_at(collective, measured);
    }
    facts.add_model(labels_of(collective, options, mover.members), timed);
  }
  if (mover.passes_nics()) traffic.add();
  culprit.add(mover.exchange);
}

void add_sample(Measured& measured, const benchmarks::WrongElements& found, std::size_t sample) {
  measured.wrong += found.count;
  if (found.first && measured.first_wrong.empty())
    measured.first_wrong = fmt::format("sample {}, element {}: expected bits {:x}, found {:x}, differing {:x}", sample,
                                       found.first->index, found.first->expected_bits, found.first->found_bits,
                                       found.first->expected_bits ^ found.first->found_bits);
}

}  // namespace muster::healthcheck
