// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/host/binding.hpp"
#include "benchmarks/host/memory_bandwidth.hpp"
#include "benchmarks/host/memory_domains.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t min_bytes = std::size_t{1} << 14;  // of an array
constexpr std::size_t max_bytes = std::size_t{1} << 28;

std::vector<unsigned> usable_cpus(hwloc_topology_t topology) {
  const auto nodes = host::numa_nodes(topology, host::allowed_cpus(topology).get());
  return host::memory_domains(nodes, SIZE_MAX).front().cpus;
}

// One kernel of one instruction set, on arrays of range(0) bytes and range(1) threads, timed as the check times it.
void sweep(benchmark::State& state, const host::KernelSet& set, host::Kernel kernel) {
  const auto topology = host::load_topology();
  const auto cpus = usable_cpus(topology.get());
  host::Team team(static_cast<std::size_t>(state.range(1)));
  team.run([&](std::size_t thread) { host::bind_thread(topology.get(), cpus[thread]); });
  const auto elements = static_cast<std::size_t>(state.range(0)) / sizeof(double);
  host::MemoryBandwidth bandwidth(team, set, elements);
  bandwidth.place();
  for (auto _ : state) state.SetIterationTime(bandwidth.run(kernel).count());
  state.SetBytesProcessed(static_cast<std::int64_t>(host::bytes_per_element(kernel) * elements) * state.iterations());
}

void register_sweeps(std::size_t threads) {
  for (const auto& set : host::supported_kernels())
    for (const auto kernel : host::kernels) {
      const auto name = std::string(to_text(kernel)) + "/" + std::string(set.instructions);
      auto* made = benchmark::RegisterBenchmark(name.c_str(), sweep, set, kernel)->UseManualTime();
      for (std::size_t count = 1;; count = std::min(2 * count, threads)) {
        for (std::size_t bytes = min_bytes; bytes <= max_bytes; bytes *= 4)
          made->Args({static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(count)});
        if (count == threads) break;
      }
      made->ArgNames({"bytes", "threads"});
    }
}

}  // namespace
}  // namespace muster::benchmarks

int main(int argc, char** argv) {
  using namespace muster::benchmarks;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  register_sweeps(usable_cpus(host::load_topology().get()).size());
  benchmark::RunSpecifiedBenchmarks();
}
