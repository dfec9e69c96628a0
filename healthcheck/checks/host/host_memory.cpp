// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/host/binding.hpp"
#include "benchmarks/host/memory_bandwidth.hpp"
#include "benchmarks/host/memory_domains.hpp"
#include "benchmarks/sampling/sampler.hpp"
#include "healthcheck/check/check.hpp"
#include "healthcheck/check/context.hpp"
#include "healthcheck/check/rate_fact.hpp"
#include "healthcheck/program/command_line.hpp"
#include "healthcheck/program/error.hpp"
#include "topology/cpu/cgroup.hpp"
#include "topology/devices/dmi.hpp"
#include "topology/kernel/error.hpp"

namespace muster::healthcheck {
namespace {

namespace host = benchmarks::host;
using benchmarks::host::MemoryBandwidth;
using benchmarks::host::MemoryDomain;
using results::Quantity;
using results::Unit;

constexpr double slice_seconds = 5e-4;  // for each thread, a hundred times what it takes to set it off
constexpr double max_slices = 64;
constexpr auto unlimited = std::numeric_limits<double>::infinity();

Quantity bytes(std::size_t value) { return {.value = static_cast<double>(value), .unit = Unit::byte}; }

std::size_t core_count(const std::vector<host::NumaNode>& nodes) {
  std::size_t cores = 0;
  for (const auto& node : nodes) cores += node.cpus.size();
  return cores;
}

// The physical limit of all cores together, or why there is none.
struct Ceiling {
  std::optional<results::Limit> limit;
  std::string words;
};

Ceiling ceiling(const topology::Sysfs& sysfs, bool every_core) {
  if (!every_core) return {.limit = {}, .words = "none: not all cores of the machine take part"};
  try {
    const auto limit = topology::memory_bandwidth_limit(sysfs);
    if (!limit) return {.limit = {}, .words = "none: DMI does not tell the speed and the channels of the memory"};
    return {.limit = results::Limit{{limit->bytes_per_second, Unit::byte_per_second}, limit->source},
            .words = limit->source};
  } catch (const topology::Error& error) {
    return {.limit = {}, .words = fmt::format("none: {}", error.what())};
  }
}

std::string too_large(std::size_t array_bytes, double available) {
  return fmt::format("three arrays of {} take more than half of the {} that are available",
                     results::to_text(bytes(array_bytes)), results::to_text(Quantity{available, Unit::byte}));
}

class HostMemory final : public Check {
 public:
  Description describe() const override {
    return {.name = "host_memory",
            .summary = "Bandwidth of the memory by copy, scale, add and triad, every element verified",
            .resources = {Resource::cpu, Resource::memory},
            .tier = results::Tier::quick,
            .typical_seconds = 4,
            .prepares = true};
  }

  void add_options(CommandLine& line) override {
    line.add_bytes("--bytes-per-array", bytes_per_array_, min_array_bytes,
                   "Size of each of the three arrays instead of 4 x the caches");
    line.add_positive("--threads", threads_, "At most so many threads instead of one per core");
  }

  void expect_possible(const Context& context) const override {
    if (!bytes_per_array_) return;
    const auto available = topology::available_memory(context.sysfs(), topology::cgroup_limits(context.sysfs()));
    if (available && !host::fits(*bytes_per_array_, *available))
      throw UsageError(fmt::format("--bytes-per-array: {}; give less", too_large(*bytes_per_array_, *available)));
  }

  void run(Context& context) override {
    context.phase("reading the topology");
    const auto topology = host::load_topology();
    const auto allowed = host::allowed_cpus(topology.get());
    const auto nodes = host::numa_nodes(topology.get(), allowed.get());
    const auto cgroup = topology::cgroup_limits(context.sysfs());
    const auto domains = host::memory_domains(nodes, max_threads(cgroup));
    const auto available = topology::available_memory(context.sysfs(), cgroup);
    if (!available) throw std::runtime_error("proc/meminfo does not tell MemAvailable");
    const bool every_core =
        host::allows_every_core(topology.get(), allowed.get()) && domains.front().cpus.size() == core_count(nodes);
    const auto [limit, words] = ceiling(context.sysfs(), every_core);
    context.add("host_memory.limit", words);

    const auto time =
        std::chrono::milliseconds(context.tier() == results::Tier::full ? 50'000 : 3'000) / domains.size();
    for (const auto& domain : domains) {
      const auto cache = host::last_level_cache_bytes(topology.get(), domain.cpus);
      const auto size = array_size(cache, *available);
      measure(context, topology.get(), domain, {size, time, domain.numa == "all" ? limit : std::nullopt});
    }
  }

 private:
  static constexpr std::size_t min_array_bytes = std::size_t{1} << 20;

  struct Setting {
    std::size_t array_bytes = 0;
    std::chrono::milliseconds time;
    std::optional<results::Limit> limit;
  };

  // More threads than a control group has CPU time for would only wait for each other.
  std::size_t max_threads(const topology::CgroupLimits& cgroup) const {
    const auto wanted = threads_.value_or(std::numeric_limits<std::size_t>::max());
    const double quota = std::max(1.0, std::floor(cgroup.cpu_cores.value_or(unlimited)));
    return quota < static_cast<double>(wanted) ? static_cast<std::size_t>(quota) : wanted;
  }

  std::size_t array_size(double cache_bytes, double available) const {
    const auto size = bytes_per_array_.value_or(host::array_bytes(cache_bytes));
    if (!host::fits(size, available)) throw Skip(too_large(size, available));
    return size;
  }

  // A sample is a slice of the arrays where all of them take far longer than setting the threads off: of all there
  // would be few samples, each with whatever disturbed it. On a busy machine, which may make threads wait at every
  // slice, too many would never end.
  static std::size_t slices_of(double seconds, std::size_t threads) {
    const double slices = seconds / (slice_seconds * static_cast<double>(threads));
    return static_cast<std::size_t>(std::clamp(slices, 1.0, max_slices));
  }

  static void measure(Context& context, hwloc_topology_t topology, const MemoryDomain& domain, const Setting& setting) {
    const results::Labels labels{{"numa", domain.numa}};
    context.phase(fmt::format("placing the arrays, numa {}", domain.numa));
    context.add("host_memory.threads", results::count(domain.cpus.size()), labels);
    context.add("host_memory.array_size", bytes(setting.array_bytes), labels);
    host::Team team(domain.cpus.size());
    team.run([&](std::size_t thread) { host::bind_thread(topology, domain.cpus[thread]); });
    MemoryBandwidth bandwidth(team, host::supported_kernels().front(), setting.array_bytes / sizeof(double));
    if (!context.is_turn()) bandwidth.place_when_idle(topology, domain.cpus, [&] { return !context.is_turn(); });
    context.await_turn();
    bandwidth.place();

    context.phase(fmt::format("measuring, numa {}", domain.numa));
    // Which warms up, and is what a cycle begins with.
    const auto slices = slices_of(bandwidth.run(host::Kernel::copy).count(), team.size());
    const auto cycle = [&] {
      auto rates = bandwidth.cycle(slices);
      return std::vector(std::make_move_iterator(rates.begin()), std::make_move_iterator(rates.end()));
    };
    const auto end = std::min(std::chrono::steady_clock::now() + setting.time, context.deadline());
    const auto sampled = benchmarks::sample_each(cycle, Unit::byte_per_second, benchmarks::SamplingGoal{},
                                                 {.end = end, .most = MemoryBandwidth::max_cycles * slices});
    for (const auto kernel : host::kernels)
      context.add(rate_fact("host_memory.bandwidth", sampled.at(static_cast<std::size_t>(kernel)),
                            {{"kernel", std::string(to_text(kernel))}, {"numa", domain.numa}}, setting.limit));

    context.phase(fmt::format("verifying, numa {}", domain.numa));
    add_verification(context, domain, bandwidth.verify());
  }

  static void add_verification(Context& context, const MemoryDomain& domain, const host::Verification& verified) {
    results::Labels labels{{"numa", domain.numa}};
    if (verified.first) {
      const auto& first = *verified.first;
      labels.emplace("cpu", std::to_string(domain.cpus[first.thread]));
      labels.emplace("first_index", fmt::format("{}[{}]", first.array, first.index));
      context.add("host_memory.first_wrong",
                  fmt::format("{}[{}] at {}: expected bits {:016x}, found {:016x}, differing {:016x}", first.array,
                              first.index, first.address, first.expected, first.found, first.expected ^ first.found),
                  labels);
    }
    context.add("host_memory.wrong_elements", results::count(verified.wrong), labels);
  }

  std::optional<std::size_t> bytes_per_array_;
  std::optional<std::size_t> threads_;
};

}  // namespace

std::unique_ptr<Check> make_check() { return std::make_unique<HostMemory>(); }

}  // namespace muster::healthcheck
