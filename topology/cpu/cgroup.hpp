// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// What the control groups (version 1, 2 or both) leave to the calling process: of each limit the smallest among its
// group and the ancestors it can see; none where nothing limits it.
struct CgroupLimits {
  std::optional<double> memory_bytes;
  std::optional<double> cpu_cores;  // quota divided by period
  std::optional<std::vector<int>> cpuset;
};

// Throws Error naming the file that holds no limit.
CgroupLimits cgroup_limits(const Sysfs& sysfs);

// Bytes that the machine and the control groups leave to this process; none where proc/meminfo does not tell
// MemAvailable.
std::optional<double> available_memory(const Sysfs& sysfs, const CgroupLimits& cgroup);

// The text of memory.max or memory.limit_in_bytes: bytes, or none for "max" and for version 1's largest number.
std::optional<double> memory_limit(std::string_view text);
// The text of cpu.max, "200000 100000" -> 2 cores; none for "max 100000".
std::optional<double> cpu_max(std::string_view text);

}  // namespace muster::topology
