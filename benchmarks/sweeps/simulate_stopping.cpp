// SPDX-License-Identifier: Apache-2.0
// Prints how often the stopping rules decide wrongly, and how soon: truth at the fail edge, at the pass edge, and one
// noise above it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <vector>

#include "benchmarks/sampler.hpp"
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
    Sampling sampling({.edges = edges, .noise = scatter.noise, .count = {}, .bursts = bursts});
    while (!sampling.reached() && sampling.n() < most_samples) sampling.add(machine.sample());
    sum.pass += sampling.decision() == Decision::pass ? 1 : 0;
    sum.fail += sampling.decision() == Decision::fail ? 1 : 0;
    sum.soon += sampling.n() <= 10 ? 1 : 0;
    sum.mean_n += static_cast<double>(sampling.n());
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

void run(std::size_t runs, const std::vector<double>& gaps) {
  fmt::print("{:>4} {:>6} {:>8} {:>6} {:>5}  {:24} {:>10} {:>10} {:>9} {:>6} {:>7}\n", "GAP", "NOISE", "OUTLIERS",
             "BURST", "AUTO", "RULE", "WRONG PASS", "WRONG FAIL", "PASS +1 S", "MEAN N", "N <= 10");
  for (const double gap : gaps)
    for (const double noise : {0.01, 0.03})
      for (const double outliers : {0.0, 0.05, 0.15})
        for (const bool bursts : {false, true})
          for (const double autocorrelation : {0.0, 0.5})
            if (!bursts || outliers > 0) print_row({noise, outliers, bursts, autocorrelation}, gap, runs);
}

}  // namespace
}  // namespace muster::benchmarks

int main(int argc, char** argv) {
  std::size_t runs = 1'000'000;
  CLI::App app("Prints how often the stopping rules decide wrongly, and how soon");
  app.add_option("runs", runs, "Runs for each row")->check(CLI::Range(1, 1'000'000'000))->capture_default_str();
  std::vector<double> gaps{1, 2, 3, 5};
  app.add_option("--gaps", gaps, "ln(pass edge / fail edge), in units of the noise")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  muster::benchmarks::run(runs, gaps);
}
