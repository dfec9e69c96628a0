// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "benchmarks/ranks/ranks.hpp"
#include "benchmarks/sampling/stopping.hpp"
#include "results/values/measurement.hpp"
#include "results/values/samples.hpp"

namespace muster::benchmarks {

// Stops when the 95 % interval of the median lies within a share of the median on either side.
class Precision {
 public:
  explicit Precision(double share = 0.01) : share_(share) {}
  bool reached(std::span<const double> values) const;

 private:
  double share_;
};

// Where sampling ends even when the rule is not content; six samples are taken in any case.
struct Budget {
  std::chrono::steady_clock::time_point end;
  std::size_t most = std::numeric_limits<std::size_t>::max();

  bool spent(std::size_t samples) const;
};

struct Sampled {
  results::Samples samples;    // without those of the warm-up
  results::Stopping stopping;  // where no thresholds were tested: "precise", "fixed", or "budget" when that ended first
  std::size_t warm_up = 0;     // samples at the start that were left out
};

// Rates of one thing, one after the other, until its goal is reached. A machine that warms up is slow, so it may pass
// during that time; nobody fails before the 20th sample, and there the test starts again behind the warm-up, if there
// was one. What the thresholds decided stays decided, whatever is added. Of samples that passed, or are as many as were
// asked for, but whose median is not good, there are more for another second, and all count: what disturbed the first
// is outvoted.
class Sampling {
 public:
  // With room for so many rates: where it grows, they are there twice for a moment.
  explicit Sampling(const SamplingGoal& goal, std::size_t room = 0);
  void add(double rate, std::chrono::steady_clock::time_point at = std::chrono::steady_clock::now());
  bool reached() const { return reached_; }
  std::size_t n() const { return rates_.size(); }
  Decision decision() const { return decision_; }  // undecided where there are no thresholds to tell apart
  // Its end, which takes the rates. Throws std::logic_error before the first rate.
  Sampled result(results::Unit unit) &&;

 private:
  void look_at_count(std::size_t count, std::chrono::steady_clock::time_point at);
  void look_at_thresholds(Thresholds thresholds, SequentialTest& test, std::chrono::steady_clock::time_point at);
  void test_thresholds(Thresholds thresholds, SequentialTest& test, std::chrono::steady_clock::time_point at);
  void look_at_precision();
  bool settled(std::chrono::steady_clock::time_point at);  // asked when there is nothing else to wait for
  std::span<const double> counted() const { return std::span(rates_).subspan(warm_up_); }

  SamplingGoal goal_;
  std::vector<double> rates_;
  std::size_t warm_up_ = 0;
  std::size_t next_look_ = 0;
  std::optional<SequentialTest> test_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<std::chrono::steady_clock::time_point> enough_;  // once it is known when to end
  Decision decision_ = Decision::undecided;
  bool reached_ = false;
};

// Calls `once` on every rank, which returns the same rate on all, until rank 0 finds the goal reached or the budget
// spent.
Sampled sample(Ranks& ranks, const std::function<double()>& once, results::Unit unit, const SamplingGoal& goal,
               const Budget& budget);

// The same for operations that take turns on one machine: `once` returns one rate of each, always as many, at least
// one. Ends when the goal is reached with every one of them.
std::vector<Sampled> sample_each(const std::function<std::vector<double>()>& once, results::Unit unit,
                                 const SamplingGoal& goal, const Budget& budget);

// The same where `once` returns several rates of each, at least one.
std::vector<Sampled> sample_each(const std::function<std::vector<std::vector<double>>()>& once, results::Unit unit,
                                 const SamplingGoal& goal, const Budget& budget);

}  // namespace muster::benchmarks
