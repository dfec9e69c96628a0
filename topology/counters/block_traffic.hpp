// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// Bytes that a block device, or a partition of it, has moved since it is there.
struct BlockTraffic {
  std::int64_t read_bytes = 0;
  std::int64_t written_bytes = 0;
};

// The file "stat" of a block device: Linux Documentation/block/stat.rst. Throws Error quoting what is not of that form.
BlockTraffic block_traffic(std::string_view stat);

// Of the device with this number, "259:1"; nothing where there is no such block device. With native multipath of NVMe
// kernels before 6.2 count only at the paths, which have no number, so theirs is it there. Throws Error naming a
// damaged file.
std::optional<BlockTraffic> block_traffic(const Sysfs& sysfs, std::string_view number);

}  // namespace muster::topology
