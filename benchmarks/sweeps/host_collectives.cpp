// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/mpi/host_collective.hpp"
#include "benchmarks/ranks/ranks.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t min_bytes = 8;
constexpr std::size_t max_bytes = std::size_t{1} << 26;
constexpr int iterations = 50;  // fixed, because every rank must make the same calls

// One call of a collective of range(0) bytes, from a barrier to the end of the slowest rank.
void sweep(benchmark::State& state, Ranks& ranks, const Collective& collective) {
  const auto bytes = moved_bytes(collective, static_cast<std::size_t>(state.range(0)), ranks.size());
  if (bytes == 0) return state.SkipWithError("fewer elements than ranks");
  mpi::HostCollective timed(collective, bytes, ranks, ranks, 1);
  timed.prepare(0);
  timed.seconds();
  for (auto _ : state) state.SetIterationTime(ranks.max(timed.seconds()));
  const auto rate = [](double each) { return benchmark::Counter(each, benchmark::Counter::kIsIterationInvariantRate); };
  state.counters["algbw"] = rate(static_cast<double>(bytes));
  state.counters["busbw"] = rate(static_cast<double>(bytes) * bus_factor(collective.operation, ranks.size()));
}

void register_sweeps(Ranks& ranks) {
  for (const auto operation : operations) {
    const Collective collective{.operation = operation, .in_place = operation == Operation::broadcast};
    auto* made = benchmark::RegisterBenchmark(std::string(to_text(operation)).c_str(),
                                              [&ranks, collective](auto& state) { sweep(state, ranks, collective); });
    made->UseManualTime()->Iterations(iterations)->ArgName("bytes")->RangeMultiplier(8)->Range(min_bytes, max_bytes);
  }
}

// Of the ranks that have nothing to say.
class Silent final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace
}  // namespace muster::benchmarks

int main(int argc, char** argv) {
  using namespace muster::benchmarks;
  const auto ranks = make_ranks();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  register_sweeps(*ranks);
  Silent silent;
  benchmark::RunSpecifiedBenchmarks(ranks->rank() == 0 ? nullptr : &silent);
}
