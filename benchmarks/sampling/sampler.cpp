// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/sampling/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "benchmarks/sampling/warm_up.hpp"

namespace muster::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t min_samples = 6;    // below, the median has no interval
constexpr std::size_t warm_up_look = 20;  // where MSER-5 can tell, and the first sample that can fail anybody
constexpr std::chrono::seconds second_look{1};
constexpr double look_after = 1.05;  // the interval of the median shrinks no faster than its samples grow
constexpr const char* by_precision = "precision of the median";
constexpr std::size_t room_of_a_job = std::size_t{1} << 20;  // 8 MiB of addresses; the system gives what is written

results::StoppingDecision stopping_decision(Decision decision) {
  if (decision == Decision::undecided) return results::StoppingDecision::inconclusive;
  return decision == Decision::pass ? results::StoppingDecision::pass : results::StoppingDecision::fail;
}

// The warm-up of rates: slower than what follows, by more than that scatters.
std::size_t slow_start(std::span<const double> rates) {
  const auto length = warm_up(rates);
  if (length == 0) return 0;
  const auto start = rates.first(length);
  const auto rest = rates.subspan(length);
  const auto summary = results::summarize({.unit = results::Unit::one, .values = {rest.begin(), rest.end()}});
  constexpr double clearly = 5;
  return results::median({start.begin(), start.end()}) < summary.median * (1 - clearly * summary.spread) ? length : 0;
}

}  // namespace

bool Budget::spent(std::size_t samples) const {
  return samples >= min_samples && (samples >= most || Clock::now() >= end);
}

bool Precision::reached(std::span<const double> values) const {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto interval = results::median_interval(sorted);
  if (!interval) return false;
  const double median = results::quantile(sorted, 0.5);
  return std::max(interval->high - median, median - interval->low) <= share_ * std::abs(median);
}

Sampling::Sampling(const SamplingGoal& goal, std::size_t room) : goal_(goal), next_look_(min_samples) {
  rates_.reserve(room);
  if (goal_.thresholds && !goal_.count) test_.emplace(*goal_.thresholds, goal_.noise, goal_.bursts);
}

void Sampling::add(double rate, Clock::time_point at) {
  if (rates_.empty()) begin_ = at;
  rates_.push_back(rate);
  if (goal_.count)
    look_at_count(*goal_.count, at);
  else if (goal_.thresholds && test_)
    look_at_thresholds(*goal_.thresholds, *test_, at);
  else if (n() >= next_look_)
    look_at_precision();
}

bool Sampling::settled(Clock::time_point at) {
  if (!enough_) {
    const auto rates = counted();
    enough_ = !goal_.thresholds || goal_.thresholds->is_good(results::median({rates.begin(), rates.end()}))
                  ? at
                  : at + second_look;
  }
  return at >= *enough_;
}

void Sampling::look_at_count(std::size_t count, Clock::time_point at) {
  if (n() < count && (n() < min_samples || at - begin_ < goal_.time)) return;
  reached_ = reached_ || settled(at);
}

void Sampling::look_at_thresholds(Thresholds thresholds, SequentialTest& test, Clock::time_point at) {
  if (reached_) return;
  if (decision_ == Decision::undecided) test_thresholds(thresholds, test, at);
  reached_ = decision_ == Decision::fail || (decision_ == Decision::pass && settled(at));
}

void Sampling::test_thresholds(Thresholds thresholds, SequentialTest& test, Clock::time_point at) {
  decision_ = test.add(rates_.back(), at);
  if (n() == warm_up_look && decision_ != Decision::pass) {
    warm_up_ = slow_start(rates_);
    test = SequentialTest(thresholds, goal_.noise, goal_.bursts);
    decision_ = Decision::undecided;
    for (const double each : counted())
      if (decision_ == Decision::undecided) decision_ = test.add(each, at);
  }
}

void Sampling::look_at_precision() {
  next_look_ = std::max(n() + 1, static_cast<std::size_t>(look_after * static_cast<double>(n())));
  warm_up_ = slow_start(rates_);
  reached_ = Precision().reached(counted());
}

Sampled Sampling::result(results::Unit unit) && {
  if (rates_.empty()) throw std::logic_error("there are no samples to sum up");
  using results::StoppingDecision;
  results::Stopping stopping{.rule = by_precision,
                             .pass_edge = {},
                             .fail_edge = {},
                             .noise = {},
                             .n = n(),
                             .decision = StoppingDecision::budget};
  if (goal_.count) {
    stopping.rule = "fixed count";
    stopping.decision = n() >= *goal_.count ? StoppingDecision::fixed : StoppingDecision::budget;
  } else if (goal_.thresholds && test_) {
    stopping.rule = test_->rule();
    stopping.pass_edge = goal_.thresholds->pass;
    stopping.fail_edge = goal_.thresholds->fail;
    stopping.noise = goal_.noise;
    stopping.decision = stopping_decision(decision_);
  } else if (reached_) {
    stopping.decision = StoppingDecision::precise;
  }
  rates_.erase(rates_.begin(), rates_.begin() + static_cast<std::ptrdiff_t>(warm_up_));
  return {.samples = {.unit = unit, .values = std::move(rates_)}, .stopping = std::move(stopping), .warm_up = warm_up_};
}

Sampled sample(Ranks& ranks, const std::function<double()>& once, results::Unit unit, const SamplingGoal& goal,
               const Budget& budget) {
  Sampling sampling(goal, room_of_a_job);
  const auto more = [&] { return ranks.rank() == 0 && !sampling.reached() && !budget.spent(sampling.n()); };
  do {
    sampling.add(once());
  } while (ranks.max(more() ? 1 : 0) > 0);
  return std::move(sampling).result(unit);
}

std::vector<Sampled> sample_each(const std::function<std::vector<double>()>& once, results::Unit unit,
                                 const SamplingGoal& goal, const Budget& budget) {
  const auto one_of_each = [&] {
    std::vector<std::vector<double>> rates;
    for (const double rate : once()) rates.push_back({rate});
    return rates;
  };
  return sample_each(one_of_each, unit, goal, budget);
}

std::vector<Sampled> sample_each(const std::function<std::vector<std::vector<double>>()>& once, results::Unit unit,
                                 const SamplingGoal& goal, const Budget& budget) {
  std::vector<Sampling> each;
  do {
    const auto rates = once();
    while (each.size() < rates.size()) each.emplace_back(goal);
    for (std::size_t at = 0; at < rates.size(); ++at)
      for (const double rate : rates[at]) each[at].add(rate);
  } while (!std::ranges::all_of(each, &Sampling::reached) && !budget.spent(each.front().n()));
  std::vector<Sampled> sampled;
  for (Sampling& one : each) sampled.push_back(std::move(one).result(unit));
  return sampled;
}

}  // namespace muster::benchmarks
