// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/binding.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::host {
namespace {

constexpr double unknown_cache_bytes = 64.0 * (1 << 20);  // as much as most server processors have

std::string last_error() { return std::generic_category().message(errno); }

CpuSet empty_set() { return CpuSet(hwloc_bitmap_alloc()); }

CpuSet common(hwloc_const_cpuset_t one, hwloc_const_cpuset_t other) {
  auto both = empty_set();
  hwloc_bitmap_and(both.get(), one, other);
  return both;
}

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> all;
  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;)
    all.push_back(object);
  return all;
}

// hwloc knows no cores where the kernel does not tell which CPUs are threads of one.
std::vector<hwloc_obj_t> cores(hwloc_topology_t topology) {
  auto all = objects(topology, HWLOC_OBJ_CORE);
  return all.empty() ? objects(topology, HWLOC_OBJ_PU) : all;
}

// Also those after one that Linux refuses.
bool schedule(std::span<const pid_t> threads, int policy) {
  const sched_param none{};
  return std::ranges::count_if(threads, [&](pid_t thread) { return sched_setscheduler(thread, policy, &none) != 0; }) ==
         0;
}

}  // namespace

Topology load_topology() {
  // With these hwloc tells of another machine than this one (hwloc, Environment Variables).
  for (const auto* variable : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT", "HWLOC_CPUID_PATH",
                               "HWLOC_COMPONENTS", "HWLOC_PLUGINS_PATH", "HWLOC_THISSYSTEM"})
    unsetenv(variable);
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) throw Error(fmt::format("hwloc cannot start: {}", last_error()));
  Topology topology(made);
  if (hwloc_topology_load(made) != 0)
    throw Error(fmt::format("hwloc cannot read this machine's topology: {}", last_error()));
  return topology;
}

CpuSet allowed_cpus(hwloc_topology_t topology) {
  const auto bound = empty_set();
  if (hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_THREAD) != 0)
    throw Error(fmt::format("hwloc cannot tell which CPUs this process may use: {}", last_error()));
  return common(bound.get(), hwloc_topology_get_allowed_cpuset(topology));
}

std::vector<NumaNode> numa_nodes(hwloc_topology_t topology, hwloc_const_cpuset_t allowed) {
  const CpuSet left(hwloc_bitmap_dup(allowed));
  std::vector<NumaNode> nodes;
  for (const auto node : objects(topology, HWLOC_OBJ_NUMANODE)) {
    NumaNode found{.number = node->os_index, .cpus = {}};
    for (const auto core : cores(topology)) {
      const auto usable = common(core->cpuset, left.get());
      if (hwloc_bitmap_iszero(usable.get()) || !hwloc_bitmap_intersects(core->cpuset, node->cpuset)) continue;
      found.cpus.push_back(static_cast<unsigned>(hwloc_bitmap_first(usable.get())));
      hwloc_bitmap_andnot(left.get(), left.get(), core->cpuset);
    }
    if (!found.cpus.empty()) nodes.push_back(std::move(found));
  }
  return nodes;
}

Sides sides(std::span<const NumaNode> nodes, std::optional<int> numa_node_of_device) {
  if (nodes.size() == 1) return {.near = nodes.front().cpus.front(), .far = {}};
  Sides found;
  if (!numa_node_of_device) return found;
  for (const auto& node : nodes) {
    auto& side = static_cast<int>(node.number) == *numa_node_of_device ? found.near : found.far;
    if (!side) side = node.cpus.front();
  }
  return found;
}

bool allows_every_core(hwloc_topology_t topology, hwloc_const_cpuset_t allowed) {
  const auto all = CpuSet(hwloc_bitmap_dup(hwloc_topology_get_complete_cpuset(topology)));
  for (const auto core : cores(topology))
    if (hwloc_bitmap_intersects(core->complete_cpuset, allowed))
      hwloc_bitmap_andnot(all.get(), all.get(), core->complete_cpuset);
  return hwloc_bitmap_iszero(all.get()) != 0;
}

double last_level_cache_bytes(hwloc_topology_t topology, std::span<const unsigned> cpus) {
  const auto set = empty_set();
  for (const auto cpu : cpus) hwloc_bitmap_set(set.get(), cpu);
  for (const auto type : {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE}) {
    double bytes = 0;
    for (const auto cache : objects(topology, type))
      if (hwloc_bitmap_intersects(cache->cpuset, set.get())) bytes += static_cast<double>(cache->attr->cache.size);
    if (bytes > 0) return bytes;
  }
  return unknown_cache_bytes;
}

void bind_thread(hwloc_topology_t topology, unsigned cpu) {
  const auto set = empty_set();
  hwloc_bitmap_only(set.get(), cpu);
  if (hwloc_set_cpubind(topology, set.get(), HWLOC_CPUBIND_THREAD) != 0)
    throw Error(fmt::format("cannot bind a thread to CPU {}: {}", cpu, last_error()));
}

bool run_when_idle(std::span<const pid_t> threads) { return schedule(threads, SCHED_IDLE); }

bool run_as_others(std::span<const pid_t> threads) { return schedule(threads, SCHED_OTHER); }

bool may_take_precedence() {
  const int now = getpriority(PRIO_PROCESS, 0);
  return setpriority(PRIO_PROCESS, 0, now - 1) == 0 && setpriority(PRIO_PROCESS, 0, now) == 0;
}

}  // namespace muster::benchmarks::host
