// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

// When a measured rate has said enough. Pure: rates go in one by one, a decision comes out.
namespace muster::benchmarks {

enum class Decision { undecided, pass, fail };

// Of any unit: at `pass` the machine is good, at `fail` it is bad. Of rates 0 < fail < pass; where less is better, as
// of latencies, 0 < pass < fail.
struct Thresholds {
  double pass = 0;
  double fail = 0;

  bool is_good(double value) const { return pass < fail ? value <= pass : value >= pass; }
  bool is_bad(double value) const { return pass < fail ? value >= fail : value <= fail; }
};

// Sequential probability-ratio test of Wald (1945) on ln(rate), with increments clipped to 1 as Huber (1965) does: an
// outlier counts no more than any other sample. Chances of error at the thresholds: 1e-3 to pass a bad machine, 1e-4 to
// fail a good one.
class ClippedTest {
 public:
  // `noise` is the relative spread of healthy samples, above 0.
  ClippedTest(Thresholds thresholds, double noise);
  Decision add(double rate);

 private:
  double slope_;
  double middle_;
  double sum_ = 0;
};

// E-process on how many samples lie above a threshold (Ramdas et al., 2022): of the median, whatever the noise is. It
// looks at medians of 5 samples, so that neighbours that resemble each other do not count as so many proofs.
class SignTest {
 public:
  explicit SignTest(Thresholds thresholds) : thresholds_(thresholds) {}
  Decision add(double rate);

 private:
  static constexpr std::array stakes{0.2, 0.35, 0.5, 0.65, 0.8, 0.95};
  using Wealth = std::array<double, stakes.size()>;

  static constexpr Wealth stake_of_one() {
    Wealth wealth{};
    wealth.fill(1);
    return wealth;
  }
  static double bet(Wealth& wealth, bool won);

  Thresholds thresholds_;
  std::vector<double> batch_;
  Wealth good_ = stake_of_one();
  Wealth bad_ = stake_of_one();
};

// Nobody is accused by one look: what fails is tested again from the start, and two of three rounds decide. The next
// round begins half a second after a failed one, so that a passing disturbance does not spoil both; rates in between
// are not looked at.
template <class Test>
class Confirmed {
 public:
  explicit Confirmed(const Test& fresh) : fresh_(fresh), round_(fresh) {}

  Decision add(double rate, std::chrono::steady_clock::time_point at) {
    if (at < next_round_) return Decision::undecided;
    const Decision decision = round_.add(rate);
    if (decision == Decision::undecided) return decision;
    round_ = fresh_;
    if (decision == Decision::pass) return ++passes_ == 2 || fails_ == 0 ? decision : Decision::undecided;
    next_round_ = at + apart;
    return ++fails_ == 2 ? decision : Decision::undecided;
  }

 private:
  static constexpr std::chrono::milliseconds apart{500};

  Test fresh_;
  Test round_;
  std::chrono::steady_clock::time_point next_round_;
  int passes_ = 0;
  int fails_ = 0;
};

// The test that fits: clipped where the noise is known and ln(pass/fail) is at least 2 of it (3 where outliers come in
// bursts), else by signs. benchmarks/sweeps/simulate_stopping prints its error rates.
class SequentialTest {
 public:
  SequentialTest(Thresholds thresholds, std::optional<double> noise, bool bursts = false);
  Decision add(double rate, std::chrono::steady_clock::time_point at);
  std::string_view rule() const;

 private:
  std::variant<Confirmed<ClippedTest>, Confirmed<SignTest>> test_;
};

// What sampling is for: to tell two thresholds apart, or so many samples; else the precision of the median. With both,
// there are so many, and more where their median is not good.
struct SamplingGoal {
  std::optional<Thresholds> thresholds;
  std::optional<double> noise;  // healthy relative spread of the samples
  std::optional<std::size_t> count;
  std::chrono::steady_clock::duration time = std::chrono::steady_clock::duration::max();  // what `count` may take
  bool bursts = false;  // outliers are known to come several at a time
};

}  // namespace muster::benchmarks
