// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "topology/cpu/cpu_list.hpp"
#include "topology/cpu/cpus.hpp"
#include "topology/cpu/numa.hpp"
#include "topology/kernel/parsed.hpp"

namespace muster::topology {
namespace {

// CPUs that are together, as one of these files says of a CPU; that CPU alone where there is none of them.
std::vector<int> together(const Sysfs& sysfs, int cpu, std::initializer_list<std::string_view> files) {
  for (const auto file : files)
    if (auto list = parsed(sysfs, fmt::format("sys/devices/system/cpu/cpu{}/{}", cpu, file), cpu_list);
        list && std::ranges::binary_search(*list, cpu))
      return *std::move(list);
  return {cpu};
}

std::vector<int> that_are(const std::vector<int>& online, const std::vector<int>& cpus) {
  std::vector<int> both;
  std::ranges::set_intersection(cpus, online, std::back_inserter(both));
  return both;
}

class CoreReader {
 public:
  CoreReader(const Sysfs& sysfs, std::vector<int> online)
      : sysfs_(sysfs), online_(std::move(online)), nodes_(numa_nodes(sysfs)) {}

  std::vector<Core> run() const {
    std::map<std::vector<int>, Core> in_order;
    for (const int cpu : online_) {
      auto threads =
          that_are(online_, together(sysfs_, cpu, {"topology/core_cpus_list", "topology/thread_siblings_list"}));
      if (threads.front() != cpu) continue;
      const NumaNode* node = node_of(cpu);
      in_order.emplace(place(cpu, node), Core{std::move(threads), node == nullptr ? 0 : node->number});
    }
    std::vector<Core> cores;
    for (auto& [place, core] : in_order) cores.push_back(std::move(core));
    return cores;
  }

 private:
  const NumaNode* node_of(int cpu) const {
    const auto node =
        std::ranges::find_if(nodes_, [&](const NumaNode& one) { return std::ranges::binary_search(one.cpus, cpu); });
    return node == nodes_.end() ? nullptr : &*node;
  }

  // The lowest CPU of each group that the CPU is in, the largest group first: a package may hold several NUMA nodes,
  // and a NUMA node several packages.
  std::vector<int> place(int cpu, const NumaNode* node) const {
    std::vector<std::vector<int>> groups{
        together(sysfs_, cpu, {"topology/package_cpus_list", "topology/core_siblings_list"}),
        together(sysfs_, cpu, {"topology/die_cpus_list"}), node == nullptr ? std::vector{cpu} : node->cpus,
        together(sysfs_, cpu, {"cache/index3/shared_cpu_list"})};
    std::ranges::stable_sort(groups, std::ranges::greater(), &std::vector<int>::size);
    std::vector<int> lowest;
    for (const auto& group : groups) lowest.push_back(group.front());
    lowest.push_back(cpu);
    return lowest;
  }

  const Sysfs& sysfs_;
  std::vector<int> online_;
  std::vector<NumaNode> nodes_;
};

}  // namespace

std::vector<Core> cores(const Sysfs& sysfs) {
  auto machine = cpus(sysfs);
  return machine ? CoreReader(sysfs, std::move(machine->online)).run() : std::vector<Core>();
}

}  // namespace muster::topology
