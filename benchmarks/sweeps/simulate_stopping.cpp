// SPDX-License-Identifier: Apache-2.0
// Prints how often the stopping rules decide wrongly, and how soon: simulate_stopping [RUNS], by default 1,000,000 for
// each row. Truth at the fail edge, at the pass edge, and one noise above it.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "benchmarks/stopping.hpp"
#include "benchmarks/sweeps/noisy_machine.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t most_samples = 2000;

struct Outcome {
  double pass = 0;  // shares of the runs
  double fail = 0;
  double soon = 0;  // decided within 10 samples
  double mean_n = 0;
};

Outcome simulate(const Scatter& scatter, Edges edges, bool bursts, double truth, std::size_t runs) {
  Outcome sum;
  for (std::size_t run = 0; run < runs; ++run) {
    NoisyMachine machine(scatter, truth, run + 1);
    SequentialTest test(edges, scatter.noise, bursts);
    Decision decision = Decision::undecided;
    while (decision == Decision::undecided && test.n() < most_samples) decision = test.add(machine.sample());
    sum.pass += decision == Decision::pass ? 1 : 0;
    sum.fail += decision == Decision::fail ? 1 : 0;
    sum.soon += test.n() <= 10 ? 1 : 0;
    sum.mean_n += static_cast<double>(test.n());
  }
  for (double* value : {&sum.pass, &sum.fail, &sum.soon, &sum.mean_n}) *value /= static_cast<double>(runs);
  return sum;
}

void print_row(const Scatter& scatter, double gap, std::size_t runs) {
  const Edges edges{.pass = 1, .fail = std::exp(-gap * scatter.noise)};
  const SequentialTest rule(edges, scatter.noise, scatter.bursts);
  const auto at = [&](double truth) { return simulate(scatter, edges, scatter.bursts, truth, runs); };
  const auto bad = at(edges.fail);
  const auto good = at(edges.pass);
  const auto better = at(edges.pass * std::exp(scatter.noise));
  fmt::print("{:>4.1f} {:>5.0f}% {:>7.0f}% {:>6} {:>5.1f}  {:24} {:>10.6f} {:>10.6f} {:>9.4f} {:>6.1f} {:>7.3f}\n", gap,
             100 * scatter.noise, 100 * scatter.outliers, scatter.bursts ? "3" : "1", scatter.autocorrelation,
             rule.rule(), bad.pass, good.fail, better.pass, better.mean_n, better.soon);
}

int run(int argc, char** argv) {
  const std::size_t runs = argc > 1 ? std::stoul(argv[1]) : 1'000'000;
  if (runs == 0) throw std::invalid_argument("RUNS is 0");
  fmt::print("{:>4} {:>6} {:>8} {:>6} {:>5}  {:24} {:>10} {:>10} {:>9} {:>6} {:>7}\n", "GAP", "NOISE", "OUTLIERS",
             "BURST", "AUTO", "RULE", "WRONG PASS", "WRONG FAIL", "PASS +1 S", "MEAN N", "N <= 10");
  for (const double gap : {1.0, 2.0, 3.0, 5.0})
    for (const double noise : {0.01, 0.03})
      for (const double outliers : {0.0, 0.05, 0.15})
        for (const bool bursts : {false, true})
          for (const double autocorrelation : {0.0, 0.5})
            if (!bursts || outliers > 0) print_row({noise, outliers, bursts, autocorrelation}, gap, runs);
  return 0;
}

}  // namespace
}  // namespace muster::benchmarks

int main(int argc, char** argv) {
  try {
    return muster::benchmarks::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "simulate_stopping: {} is no number of runs: simulate_stopping [RUNS]\n", argv[1]);
    return 2;
  }
}
