// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// A line of /proc/PID/mountinfo, see proc(5).
struct Mount {
  std::string device;         // of the file system, by number: "259:1"
  std::string root;           // which folder of the file system is mounted
  std::string point;          // where
  std::string point_options;  // of this place: "rw,relatime"
  std::string type;           // "cgroup2"
  std::string source;         // "/dev/md0"; what it is depends on the type
  std::string options;        // of the file system: "rw,memory"
};

// Throws Error quoting a line that is not of that form.
std::vector<Mount> mounts(std::string_view mountinfo);

// The same of /proc/PID/mounts, which a tree of hwloc-gather-topology has instead: it tells neither numbers nor roots,
// which are then "/". Throws Error as mounts() does.
std::vector<Mount> mounts_of_table(std::string_view table);

// The one that a folder, by its full name without links, lies on: the deepest, and of those in one place the last.
std::optional<Mount> mount_above(const std::vector<Mount>& mounts, const std::string& folder);

// "nvme0n1p1": that of the number, or of a btrfs, which has a number of its own, the only one that it lies on; nothing
// where there is none, or where there are several.
std::optional<std::string> block_device(const Sysfs& sysfs, const Mount& mount);

}  // namespace muster::topology
