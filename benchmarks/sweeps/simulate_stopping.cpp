// SPDX-License-Identifier: Apache-2.0
// Prints how often the stopping rules decide wrongly, and how soon: truth at the fail threshold, at the pass threshold,
// and one noise above it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "benchmarks/sampling/sampler.hpp"
#include "benchmarks/sampling/stopping.hpp"
#include "benchmarks/sweeps/noisy_machine.hpp"

namespace muster::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_samples = 2000;
constexpr std::chrono::seconds sample_time{1};

struct Outcome {
  double pass = 0;  // shares of the runs
  double fail = 0;
  double soon = 0;  // decided within 10 samples
  double mean_n = 0;

  Outcome& operator+=(const Outcome& other) {
    pass += other.pass;
    fail += other.fail;
    soon += other.soon;
    mean_n += other.mean_n;
    return *this;
  }
};

struct Row {
  Scatter scatter;
  Thresholds thresholds;
  std::optional<double> noise;  // that the rule is told of
  bool bursts = false;          // likewise
  Outcome bad;                  // truth at the fail threshold
  Outcome good;                 // at the pass threshold
  Outcome better;               // one noise above it

  SamplingGoal goal() const { return {.thresholds = thresholds, .noise = noise, .count = {}, .bursts = bursts}; }
};

// The samples of one machine, made when they are asked for, so that every row of a scatter looks at the same.
class Draws {
 public:
  Draws(const Scatter& scatter, std::uint64_t seed) : machine_(scatter, 1, seed) {}
  double at(std::size_t index) {
    while (rates_.size() <= index) rates_.push_back(machine_.sample());
    return rates_[index];
  }

 private:
  NoisyMachine machine_;
  std::vector<double> rates_;
};

Outcome one_run(Draws& draws, const SamplingGoal& goal, double truth) {
  Sampling sampling(goal);
  for (Clock::time_point at; !sampling.reached() && sampling.n() < max_samples; at += sample_time)
    sampling.add(truth * draws.at(sampling.n()), at);
  return {.pass = sampling.decision() == Decision::pass ? 1.0 : 0.0,
          .fail = sampling.decision() == Decision::fail ? 1.0 : 0.0,
          .soon = sampling.n() <= 10 ? 1.0 : 0.0,
          .mean_n = static_cast<double>(sampling.n())};
}

// Runs `first`, `first + step`, ... below `end` of rows that share their scatter, summed up.
std::vector<Row> some_runs(std::vector<Row> rows, std::size_t first, std::size_t step, std::size_t end) {
  for (std::size_t run = first; run < end; run += step) {
    Draws draws(rows.front().scatter, run + 1);
    for (Row& row : rows) {
      row.bad += one_run(draws, row.goal(), row.thresholds.fail);
      row.good += one_run(draws, row.goal(), row.thresholds.pass);
      row.better += one_run(draws, row.goal(), row.thresholds.pass * std::exp(row.scatter.noise));
    }
  }
  return rows;
}

void simulate(std::vector<Row>& rows, std::size_t runs) {
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<std::vector<Row>>> parts;
  for (std::size_t first = 0; first < threads; ++first)
    parts.push_back(std::async(std::launch::async, some_runs, rows, first, threads, runs));
  for (auto& part : parts) {
    const auto sums = part.get();
    for (std::size_t at = 0; at < rows.size(); ++at) {
      rows[at].bad += sums[at].bad;
      rows[at].good += sums[at].good;
      rows[at].better += sums[at].better;
    }
  }
}

void print(const Row& row, std::size_t runs) {
  const auto& [scatter, thresholds, noise, bursts, bad, good, better] = row;
  const auto share = [&](double count) { return count / static_cast<double>(runs); };
  fmt::print(
      "{:>7.4f} {:>5.2f} {:>5.0f}% {:>7.0f}% {:>6} {:>5.1f}  {:24} {:>10.6f} {:>10.6f} {:>9.4f} {:>6.1f} {:>7.3f}\n",
      thresholds.pass / thresholds.fail, std::log(thresholds.pass / thresholds.fail) / scatter.noise,
      100 * scatter.noise, 100 * scatter.outliers, scatter.bursts ? "3" : "1", scatter.autocorrelation,
      SequentialTest(thresholds, noise, bursts).rule(), share(bad.pass), share(good.fail), share(better.pass),
      share(better.mean_n), share(better.soon));
}

// Every way in which samples of this noise scatter.
std::vector<Scatter> scatters(double noise) {
  std::vector<Scatter> all;
  for (const double outliers : {0.0, 0.05, 0.15})
    for (const bool bursts : {false, true})
      for (const double autocorrelation : {0.0, 0.5})
        if (!bursts || outliers > 0) all.push_back({noise, outliers, bursts, autocorrelation});
  return all;
}

struct Asked {
  std::size_t runs = 1'000'000;
  std::vector<double> gaps{1, 2, 3, 5};
  std::vector<double> ratios;
  std::optional<double> noise;
};

void run(const Asked& asked) {
  fmt::print("{:>7} {:>5} {:>6} {:>8} {:>6} {:>5}  {:24} {:>10} {:>10} {:>9} {:>6} {:>7}\n", "RATIO", "GAP", "NOISE",
             "OUTLIERS", "BURST", "AUTO", "RULE", "WRONG PASS", "WRONG FAIL", "PASS +1 S", "MEAN N", "N <= 10");
  const bool by_ratio = !asked.ratios.empty();
  for (const double noise : asked.noise ? std::vector{*asked.noise} : std::vector{0.01, 0.03})
    for (const Scatter& scatter : scatters(noise)) {
      std::vector<Row> rows;
      for (const double each : by_ratio ? asked.ratios : asked.gaps)
        rows.push_back({.scatter = scatter,
                        .thresholds = {.pass = 1, .fail = by_ratio ? 1 / each : std::exp(-each * noise)},
                        .noise = by_ratio ? asked.noise : noise,
                        .bursts = !by_ratio && scatter.bursts});
      simulate(rows, asked.runs);
      for (const Row& row : rows) print(row, asked.runs);
      std::fflush(stdout);
    }
}

}  // namespace
}  // namespace muster::benchmarks

int main(int argc, char** argv) {
  muster::benchmarks::Asked asked;
  CLI::App app("Prints how often the stopping rules decide wrongly, and how soon");
  app.add_option("runs", asked.runs, "Runs for each row")->check(CLI::Range(1, 1'000'000'000))->capture_default_str();
  app.add_option("--gaps", asked.gaps, "ln(pass threshold / fail threshold), in units of the noise")
      ->capture_default_str();
  app.add_option(
         "--ratios", asked.ratios,
         "pass threshold / fail threshold, instead of gaps: as in a profile that states no noise, or that of --noise")
      ->check(CLI::Range(1.0, 1000.0));
  app.add_option("--noise", asked.noise, "The noise, which the rule is told (default: 0.01 and 0.03)")
      ->check(CLI::Range(1e-6, 1.0));
  CLI11_PARSE(app, argc, argv);
  muster::benchmarks::run(asked);
}
