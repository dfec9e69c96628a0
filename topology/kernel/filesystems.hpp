// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

enum class Access { read_write, read_only, failed };

// "rw", "ro", or "ro after an error".
std::string_view to_text(Access access);

// A file system on a block device of this machine that is mounted somewhere.
struct Filesystem {
  std::string device;  // "md0", "nvme0n1p1"
  std::string point;   // the first place where it is mounted
  std::string type;    // "ext4"
  Access access = Access::read_write;
  std::optional<std::int64_t> errors;  // that ext4 has counted since its last repair
};

// By device, without those that nobody can write (squashfs and the like). Throws Error naming a damaged file.
std::vector<Filesystem> filesystems(const Sysfs& sysfs);

}  // namespace muster::topology
