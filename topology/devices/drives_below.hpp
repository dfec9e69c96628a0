// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// The block devices that the data of one block device lie on.
struct DrivesBelow {
  std::string array;                 // "md0"; empty where the device is the one drive itself, or a partition of it
  std::int64_t chunk_bytes = 0;      // of an array: chunk n lies on drive n modulo their number
  std::vector<std::string> devices;  // "nvme3n1", in that order
};

// Below the block device with this number, "259:1". Throws Error where there is none, where it is no drive and no array
// of level 0, and where a member is missing.
DrivesBelow drives_below(const Sysfs& sysfs, std::string_view number);

// A device of RAM ("zram0"), or one of a file that is cached ("loop3", without direct transfers), among those that the
// block device with this number lies on, or is; nothing where there is none.
std::optional<std::string> memory_below(const Sysfs& sysfs, std::string_view number);

// Whole devices ("nvme3n1") that a block device, by its name, is or lies on: below maps, arrays and partitions.
std::set<std::string> whole_devices(const Sysfs& sysfs, const std::string& device);

}  // namespace muster::topology
