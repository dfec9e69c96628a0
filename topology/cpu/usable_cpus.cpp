// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/usable_cpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "topology/cpu/cgroup.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/cpu/cpus.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

// The line "Cpus_allowed_list: 10-11" of /proc/self/status.
std::vector<int> affinity(std::string_view status) {
  const auto list = value_of(status, "Cpus_allowed_list", ':');
  if (!list) throw Error("it has no line 'Cpus_allowed_list'");
  return cpu_list(*list);
}

// Those that are in the second list too; all where it says nothing.
std::vector<int> among(const std::vector<int>& cpus, const std::vector<int>& these) {
  if (these.empty()) return cpus;
  std::vector<int> both;
  std::ranges::set_intersection(cpus, these, std::back_inserter(both));
  return both;
}

}  // namespace

std::size_t UsableCpus::cores() const {
  const auto most = static_cast<double>(allowed.size());
  return static_cast<std::size_t>(std::max(1.0, std::min(most, quota.value_or(most))));
}

UsableCpus usable_cpus(const Sysfs& sysfs) {
  const auto limits = cgroup_limits(sysfs);
  const auto machine = cpus(sysfs).value_or(Cpus());
  const auto own = parsed(sysfs, "proc/self/status", affinity).value_or(std::vector<int>());
  auto allowed = machine.online.empty() ? own : among(machine.online, own);
  return {.allowed = among(allowed, limits.cpuset.value_or(std::vector<int>())), .quota = limits.cpu_cores};
}

std::map<int, std::string> cpu_kinds(const Sysfs& sysfs) {
  std::map<int, std::string> kinds;
  for (const auto& name : sysfs.list("sys/devices"))
    if (name.starts_with("cpu_"))
      for (const int cpu :
           parsed(sysfs, fmt::format("sys/devices/{}/cpus", name), cpu_list).value_or(std::vector<int>()))
        kinds[cpu] = name;
  if (kinds.empty())
    for (const int cpu : cpus(sysfs).value_or(Cpus()).online)
      if (auto capacity = sysfs.text(fmt::format("sys/devices/system/cpu/cpu{}/cpu_capacity", cpu)))
        kinds[cpu] = *std::move(capacity);
  std::set<std::string> different;
  for (const auto& [cpu, kind] : kinds) different.insert(kind);
  return different.size() > 1 ? kinds : std::map<int, std::string>();
}

}  // namespace muster::topology
