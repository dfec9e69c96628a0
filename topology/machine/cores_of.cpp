// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/cores_of.hpp"

#include <algorithm>
#include <set>

namespace muster::topology {
namespace {

// How far the second range of a mask is from the first, which is as long; 0 where they are no such two.
int distance_of_halves(const std::vector<int>& cpus) {
  const std::size_t half = cpus.size() / 2;
  if (cpus.size() < 2 || cpus.size() % 2 != 0) return 0;
  for (std::size_t at = 1; at < cpus.size(); ++at)
    if (at != half && cpus[at] != cpus[at - 1] + 1) return 0;
  return cpus[half] == cpus[half - 1] + 1 ? 0 : cpus[half] - cpus.front();
}

// How far the second thread of each core is from the first; 0 where masks show no second threads.
int distance_of_threads(const Machine& machine) {
  std::set<int> distances;
  std::set<int> first;
  for (const NumaDomain& domain : machine.domains) {
    if (!domain.cpus || domain.cpus->empty()) continue;
    distances.insert(distance_of_halves(*domain.cpus));
    first.insert(domain.cpus->begin(), domain.cpus->begin() + static_cast<std::ptrdiff_t>(domain.cpus->size() / 2));
  }
  const bool together =
      distances.size() == 1 && !first.empty() && *distances.begin() > *first.rbegin() - *first.begin();
  return together ? *distances.begin() : 0;
}

}  // namespace

std::vector<Core> cores_of(const Machine& machine) {
  if (!machine.cores.empty()) return machine.cores;
  const int distance = distance_of_threads(machine);
  std::set<int> seen;
  std::vector<Core> cores;
  std::vector<const NumaDomain*> domains;
  for (const NumaDomain& domain : machine.domains)
    if (domain.cpus && !domain.cpus->empty()) domains.push_back(&domain);
  std::ranges::stable_sort(domains, {}, [](const NumaDomain* domain) { return domain->cpus->front(); });
  for (const NumaDomain* domain : domains)
    for (const int cpu : *domain->cpus) {
      if (!seen.insert(cpu).second) continue;
      Core core{.cpus = {cpu}, .numa_node = static_cast<int>(domain->number.value_or(-1))};
      if (distance > 0 && seen.insert(cpu + distance).second) core.cpus.push_back(cpu + distance);
      cores.push_back(std::move(core));
    }
  return cores;
}

}  // namespace muster::topology
