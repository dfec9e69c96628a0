// SPDX-License-Identifier: Apache-2.0
#include "topology/cpu/cgroup.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/meminfo.hpp"
#include "topology/kernel/mounts.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

// Version 1 says "no limit" by the largest number of whole pages; no machine has a quarter of that.
constexpr std::int64_t unlimited_bytes = std::int64_t{1} << 62;

bool holds(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    if (list.substr(0, comma) == item) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

struct Group {
  std::string controllers;  // "cpu,cpuacct"; empty for version 2
  std::string path;
};

// The lines of /proc/self/cgroup, "4:memory:/a/b".
std::vector<Group> groups(std::string_view text) {
  std::vector<Group> found;
  for (const auto line : lines(text)) {
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) throw Error("'" + std::string(line) + "' is not a line such as '0::/group'");
    found.push_back({.controllers = std::string(line.substr(first + 1, second - first - 1)),
                     .path = std::string(line.substr(second + 1))});
  }
  return found;
}

// Is this the file system that shows this group?
bool shows(const Mount& mount, const Group& group) {
  if (group.controllers.empty()) return mount.type == "cgroup2";
  return mount.type == "cgroup" &&
         holds(mount.options, std::string_view(group.controllers).substr(0, group.controllers.find(',')));
}

// The part of the group's path below the mounted folder; nothing when the group is that folder or lies elsewhere.
std::string_view below(const Mount& mount, std::string_view group) {
  if (group == mount.root) return {};
  if (mount.root == "/") return group;
  const auto rest = group.starts_with(mount.root) ? group.substr(mount.root.size()) : std::string_view();
  return rest.starts_with('/') ? rest : std::string_view();
}

// The group's folder and those above it that are visible here, the innermost first.
std::vector<std::string> folders(const Mount& mount, std::string_view group) {
  std::filesystem::path folder(mount.point + std::string(below(mount, group)));
  std::vector<std::string> found;
  for (const std::filesystem::path top(mount.point); folder != top && folder.has_relative_path();
       folder = folder.parent_path())
    found.push_back(folder.string());
  found.push_back(mount.point);
  return found;
}

std::optional<double> smaller(std::optional<double> one, std::optional<double> other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

// The inner group's CPUs are already a part of the outer one's.
CgroupLimits tighter(const CgroupLimits& inner, const CgroupLimits& outer) {
  return {.memory_bytes = smaller(inner.memory_bytes, outer.memory_bytes),
          .cpu_cores = smaller(inner.cpu_cores, outer.cpu_cores),
          .cpuset = inner.cpuset ? inner.cpuset : outer.cpuset};
}

std::optional<double> cfs_quota(const Sysfs& sysfs, const std::string& folder) {
  const auto quota = sysfs.number(folder + "/cpu.cfs_quota_us");
  const auto period = sysfs.number(folder + "/cpu.cfs_period_us");
  if (!quota || !period || *quota < 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<std::vector<int>> cpuset_of(const Sysfs& sysfs, const std::string& folder) {
  for (const auto* name : {"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"})
    if (auto cpus = parsed(sysfs, folder + name, cpu_list); cpus && !cpus->empty()) return cpus;
  return std::nullopt;
}

// Whatever limits the folder has; version 1 and 2 name them differently, so that both fit in one function.
CgroupLimits limits_in(const Sysfs& sysfs, const std::string& folder) {
  const auto memory = [&](std::string_view name) {
    return parsed(sysfs, folder + std::string(name), memory_limit).value_or(std::nullopt);
  };
  return {.memory_bytes = smaller(memory("/memory.max"), memory("/memory.limit_in_bytes")),
          .cpu_cores =
              smaller(parsed(sysfs, folder + "/cpu.max", cpu_max).value_or(std::nullopt), cfs_quota(sysfs, folder)),
          .cpuset = cpuset_of(sysfs, folder)};
}

}  // namespace

std::optional<double> memory_limit(std::string_view text) {
  if (text == "max") return std::nullopt;
  const auto bytes = whole_number(text);
  if (!bytes || *bytes < 0) throw Error("'" + std::string(text) + "' is neither a number of bytes nor 'max'");
  if (*bytes >= unlimited_bytes) return std::nullopt;
  return static_cast<double>(*bytes);
}

std::optional<double> cpu_max(std::string_view text) {
  const auto refused = [&] {
    return Error("'" + std::string(text) + "' is not a quota and a period such as '200000 100000'");
  };
  const auto part = words(text);
  if (part.size() != 2) throw refused();
  const auto period = whole_number(part[1]).value_or(0);
  if (period <= 0) throw refused();
  if (part[0] == "max") return std::nullopt;
  const auto quota = whole_number(part[0]);
  if (!quota) throw refused();
  return static_cast<double>(*quota) / static_cast<double>(period);
}

CgroupLimits cgroup_limits(const Sysfs& sysfs) {
  CgroupLimits limits;
  const auto mine = parsed(sysfs, "proc/self/cgroup", groups).value_or(std::vector<Group>());
  auto mounted = parsed(sysfs, "proc/self/mountinfo", mounts);
  if (!mounted) mounted = parsed(sysfs, "proc/mounts", mounts_of_table);
  for (const auto& mount : mounted.value_or(std::vector<Mount>()))
    for (const auto& group : mine)
      if (shows(mount, group))
        for (const auto& folder : folders(mount, group.path)) limits = tighter(limits, limits_in(sysfs, folder));
  return limits;
}

std::optional<double> available_memory(const Sysfs& sysfs, const CgroupLimits& cgroup) {
  const auto memory = parsed(sysfs, "proc/meminfo", meminfo).value_or(Meminfo());
  const auto available = memory.find("MemAvailable");
  if (available == memory.end()) return std::nullopt;
  return smaller(available->second, cgroup.memory_bytes);
}

}  // namespace muster::topology
