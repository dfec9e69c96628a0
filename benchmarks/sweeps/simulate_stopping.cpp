// SPDX-License-Identifier: Apache-2.0
// Prints how often the stopping rules decide wrongly, and how soon: truth at the fail edge, at the pass edge, and one
// noise above it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "benchmarks/sampler.hpp"
#include "benchmarks/stopping.hpp"
#include "benchmarks/sweeps/noisy_machine.hpp"

namespace muster::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_samples = 2000;
constexpr std::chrono::seconds sample_time{1};

struct Outcome {
  double pass = 0;  // shares of the runs
  double fail = 0;
  double soon = 0;  // decided within 10 samples
  double mean_n = 0;
};

// Runs `first`, `first + step`, ... below `end`, summed up.
Outcome some_runs(const Scatter& scatter, const Goal& goal, double truth, std::size_t first, std::size_t step,
                  std::size_t end) {
  Outcome sum;
  for (std::size_t run = first; run < end; run += step) {
    NoisyMachine machine(scatter, truth, run + 1);
    Sampling sampling(goal);
    for (Clock::time_point at; !sampling.reached() && sampling.n() < most_samples; at += sample_time)
      sampling.add(machine.sample(), at);
    sum.pass += sampling.decision() == Decision::pass ? 1 : 0;
    sum.fail += sampling.decision() == Decision::fail ? 1 : 0;
    sum.soon += sampling.n() <= 10 ? 1 : 0;
    sum.mean_n += static_cast<double>(sampling.n());
  }
  return sum;
}

Outcome simulate(const Scatter& scatter, const Goal& goal, double truth, std::size_t runs) {
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<Outcome>> parts;
  for (std::size_t first = 0; first < threads; ++first)
    parts.push_back(std::async(std::launch::async, some_runs, scatter, goal, truth, first, threads, runs));
  Outcome all;
  for (auto& part : parts) {
    const auto sum = part.get();
    all.pass += sum.pass;
    all.fail += sum.fail;
    all.soon += sum.soon;
    all.mean_n += sum.mean_n;
  }
  for (double* value : {&all.pass, &all.fail, &all.soon, &all.mean_n}) *value /= static_cast<double>(runs);
  return all;
}

void print_row(const Scatter& scatter, Edges edges, std::optional<double> told_noise, bool told_bursts,
               std::size_t runs) {
  const Goal goal{.edges = edges, .noise = told_noise, .count = {}, .bursts = told_bursts};
  const auto at = [&](double truth) { return simulate(scatter, goal, truth, runs); };
  const auto bad = at(edges.fail);
  const auto good = at(edges.pass);
  const auto better = at(edges.pass * std::exp(scatter.noise));
  fmt::print("{:>5.2f} {:>5.0f}% {:>7.0f}% {:>6} {:>5.1f}  {:24} {:>10.6f} {:>10.6f} {:>9.4f} {:>6.1f} {:>7.3f}\n",
             std::log(edges.pass / edges.fail) / scatter.noise, 100 * scatter.noise, 100 * scatter.outliers,
             scatter.bursts ? "3" : "1", scatter.autocorrelation, SequentialTest(edges, told_noise, told_bursts).rule(),
             bad.pass, good.fail, better.pass, better.mean_n, better.soon);
}

// `use` with every way in which samples of this noise scatter.
template <class Use>
void for_each_scatter(double noise, const Use& use) {
  for (const double outliers : {0.0, 0.05, 0.15})
    for (const bool bursts : {false, true})
      for (const double autocorrelation : {0.0, 0.5})
        if (!bursts || outliers > 0) use(Scatter{noise, outliers, bursts, autocorrelation});
}

struct Asked {
  std::size_t runs = 1'000'000;
  std::vector<double> gaps{1, 2, 3, 5};
  std::vector<double> ratios;
  std::optional<double> noise;
};

void run(const Asked& asked) {
  fmt::print("{:>5} {:>6} {:>8} {:>6} {:>5}  {:24} {:>10} {:>10} {:>9} {:>6} {:>7}\n", "GAP", "NOISE", "OUTLIERS",
             "BURST", "AUTO", "RULE", "WRONG PASS", "WRONG FAIL", "PASS +1 S", "MEAN N", "N <= 10");
  const std::vector<double> noises = asked.noise ? std::vector{*asked.noise} : std::vector{0.01, 0.03};
  const auto print = [&](double noise, double log_ratio, std::optional<double> told, bool told_of_bursts) {
    for_each_scatter(noise, [&](const Scatter& scatter) {
      const Edges edges{.pass = 1, .fail = std::exp(-log_ratio)};
      print_row(scatter, edges, told, told_of_bursts && scatter.bursts, asked.runs);
    });
  };
  for (const double ratio : asked.ratios)
    for (const double noise : noises) print(noise, std::log(ratio), asked.noise, false);
  if (!asked.ratios.empty()) return;
  for (const double gap : asked.gaps)
    for (const double noise : noises) print(noise, gap * noise, noise, true);
}

}  // namespace
}  // namespace muster::benchmarks

int main(int argc, char** argv) {
  muster::benchmarks::Asked asked;
  CLI::App app("Prints how often the stopping rules decide wrongly, and how soon");
  app.add_option("runs", asked.runs, "Runs for each row")->check(CLI::Range(1, 1'000'000'000))->capture_default_str();
  app.add_option("--gaps", asked.gaps, "ln(pass edge / fail edge), in units of the noise")->capture_default_str();
  app.add_option("--ratios", asked.ratios,
                 "pass edge / fail edge, instead of gaps: as in a profile that states no noise, or that of --noise")
      ->check(CLI::Range(1.0, 1000.0));
  app.add_option("--noise", asked.noise, "The noise, which the rule is told (default: 0.01 and 0.03)")
      ->check(CLI::Range(1e-6, 1.0));
  CLI11_PARSE(app, argc, argv);
  muster::benchmarks::run(asked);
}
