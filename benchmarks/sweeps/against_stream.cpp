// SPDX-License-Identifier: Apache-2.0
// Compares the measuring function of the check host_memory with McCalpin's STREAM, whose source the caller gives.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/handle.hpp"
#include "benchmarks/host/binding.hpp"
#include "benchmarks/host/memory_bandwidth.hpp"
#include "benchmarks/host/memory_domains.hpp"
#include "results/values/samples.hpp"

namespace muster::benchmarks {
namespace {

using Rates = std::array<double, host::kernels.size()>;  // B/s, the best of all repetitions, as STREAM reports

struct Options {
  std::string source;
  std::string compiler = "gcc";
  std::size_t bytes_per_array = std::size_t{128} << 20;
  std::size_t repetitions = 20;
  std::size_t pairs = 15;
};

// Ratios of all pairs, by kernel.
using Ratios = std::array<std::vector<double>, host::kernels.size()>;

std::string compile(const Options& options) {
  auto program = (std::filesystem::temp_directory_path() / fmt::format("stream-{}", getpid())).string();
  const bool beyond_small_addresses = 3 * options.bytes_per_array >= std::size_t{1} << 31;
  const auto command =
      fmt::format("{} -O3 -march=native -fopenmp{} -DSTREAM_ARRAY_SIZE={} -DNTIMES={} '{}' -o '{}'", options.compiler,
                  beyond_small_addresses ? " -mcmodel=medium" : "", options.bytes_per_array / sizeof(double),
                  options.repetitions, options.source, program);
  fmt::print("{}\n", command);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("STREAM does not compile: " + options.source);
  return program;
}

Rates run_stream(const std::string& program, std::size_t threads) {
  const auto command = fmt::format("OMP_PROC_BIND=true OMP_NUM_THREADS={} '{}'", threads, program);
  const Handle<FILE, pclose> output(popen(command.c_str(), "r"));
  if (!output) throw std::runtime_error("STREAM does not start: " + program);
  constexpr std::array names{"Copy:", "Scale:", "Add:", "Triad:"};
  Rates rates{};
  std::array<char, 512> line{};
  while (std::fgets(line.data(), line.size(), output.get()) != nullptr) {
    std::istringstream words(line.data());
    std::string name;
    double megabytes = 0;
    if (!(words >> name >> megabytes)) continue;
    if (const auto at = std::ranges::find(names, name); at != names.end())
      rates.at(static_cast<std::size_t>(at - names.begin())) = megabytes * 1e6;
  }
  if (std::ranges::count(rates, 0) > 0) throw std::runtime_error("STREAM printed no rates: " + program);
  return rates;
}

// Like STREAM: new arrays, the best of so many repetitions without the first.
Rates run_ours(hwloc_topology_t topology, const std::vector<unsigned>& cpus, const Options& options) {
  host::Team team(cpus.size());
  team.run([&](std::size_t thread) { host::bind_thread(topology, cpus[thread]); });
  host::MemoryBandwidth bandwidth(team, host::supported_kernels().front(), options.bytes_per_array / sizeof(double));
  bandwidth.place();
  bandwidth.cycle();
  Rates best{};
  for (std::size_t repetition = 1; repetition < options.repetitions; ++repetition)
    std::ranges::transform(best, bandwidth.cycle(), best.begin(), [](double a, double b) { return std::max(a, b); });
  if (const auto wrong = bandwidth.verify().wrong; wrong > 0)
    throw std::runtime_error(fmt::format("{} elements are wrong", wrong));
  return best;
}

void append(Ratios& ratios, const Rates& rates, const Rates& base) {
  for (std::size_t kernel = 0; kernel < ratios.size(); ++kernel) ratios[kernel].push_back(rates[kernel] / base[kernel]);
}

results::Summary summary(const std::vector<double>& ratios) {
  return results::summarize({.unit = results::Unit::one, .values = ratios});
}

// A ratio counts when the noise h, the half-width of the 95 % interval of STREAM against itself, is at most 5 %.
void print(host::Kernel kernel, const std::vector<double>& ours, const std::vector<double>& self) {
  const auto ratio = summary(ours);
  const auto noise = summary(self);
  if (!ratio.median_interval || !noise.median_interval) throw std::runtime_error("too few pairs for an interval");
  const double h = (noise.median_interval->high - noise.median_interval->low) / 2;
  const auto* answer = h > 0.05 ? "not measurable here" : ratio.median >= 1 - h ? "yes" : "no";
  fmt::print("{:6} ours/STREAM {:.3f} [{:.3f}, {:.3f}]  STREAM/STREAM {:.3f}, h {:.1f} %  at least 1.00 x: {}\n",
             to_text(kernel), ratio.median, ratio.median_interval->low, ratio.median_interval->high, noise.median,
             100 * h, answer);
}

void compare(const Options& options) {
  const auto topology = host::load_topology();
  const auto cpus =
      host::memory_domains(host::numa_nodes(topology.get(), host::allowed_cpus(topology.get()).get()), SIZE_MAX)
          .front()
          .cpus;
  const auto stream = compile(options);
  Ratios ours;
  Ratios self;
  for (std::size_t pair = 0; pair < options.pairs; ++pair) {
    const auto before = run_stream(stream, cpus.size());
    const auto rates = run_ours(topology.get(), cpus, options);
    append(ours, rates, before);
    append(self, run_stream(stream, cpus.size()), before);
    fmt::print("triad: STREAM {:.2f} GB/s, ours {:.2f} GB/s\n", before.back() / 1e9, rates.back() / 1e9);
  }
  std::filesystem::remove(stream);
  fmt::print("{} pairs, best of {} repetitions each, {} threads, {} bytes per array, {}\n", options.pairs,
             options.repetitions, cpus.size(), options.bytes_per_array, host::supported_kernels().front().instructions);
  for (const auto kernel : host::kernels) {
    const auto at = static_cast<std::size_t>(kernel);
    print(kernel, ours.at(at), self.at(at));
  }
}

}  // namespace
}  // namespace muster::benchmarks

int main(int argc, char** argv) {
  muster::benchmarks::Options options;
  CLI::App app("Compares host_memory's bandwidths with STREAM's, alternating, by the median ratio of all pairs");
  app.add_option("source", options.source, "stream.c")->required()->check(CLI::ExistingFile);
  app.add_option("--compiler", options.compiler, "C compiler with OpenMP")->capture_default_str();
  app.add_option("--bytes-per-array", options.bytes_per_array)
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions)->check(CLI::Range(2, 500))->capture_default_str();
  app.add_option("--pairs", options.pairs)->check(CLI::Range(15, 1000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    muster::benchmarks::compare(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
