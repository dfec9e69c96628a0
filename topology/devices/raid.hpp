// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct RaidMember {
  std::string device;  // "nvme3n1"
  std::string state;   // "in_sync", "faulty", what else the kernel says of it, or "gone" where it is no more
  std::optional<std::int64_t> slot;  // its place in the order of members; none of a spare
};

// An array of Linux's md, see Documentation/admin-guide/md.rst.
struct RaidArray {
  std::string name;              // "md0"
  std::string level;             // "raid0"
  std::string state;             // "clean"
  std::int64_t chunk_bytes = 0;  // that lie on one member, of levels that stripe
  std::vector<RaidMember> members;
  std::optional<std::int64_t> missing;  // members that it should have and that do not work
};

// By name. Throws Error naming a damaged file.
std::vector<RaidArray> raid_arrays(const Sysfs& sysfs);

}  // namespace muster::topology
