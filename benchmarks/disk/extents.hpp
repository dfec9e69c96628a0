// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/disk/own_file.hpp"

namespace muster::benchmarks::disk {

// A part of the data of a file that lies in one piece on its block device.
struct Extent {
  std::uint64_t offset = 0;  // in the data
  std::uint64_t place = 0;   // on the device
  std::uint64_t bytes = 0;
};

// By offset, only what has been written. Throws Error where the file system does not tell (FIEMAP).
std::vector<Extent> extents(const OwnFile& file);

// The chunks of the data that lie whole on one member of an array that stripes (RAID 0): for each member, by its slot,
// where they begin in the data. Of members of one size.
std::vector<std::vector<std::uint64_t>> chunks_by_member(const std::vector<Extent>& extents, std::uint64_t chunk_bytes,
                                                         std::size_t members);

}  // namespace muster::benchmarks::disk
