// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "healthcheck/scratch/contents.hpp"

namespace muster::healthcheck::scratch {

// Copies of superblocks by which a file system whose beginning and end were wiped could be brought back: ext2 to ext4,
// XFS and btrfs, and the second header of LUKS2, on the whole device or in a partition that began at 1 MiB. Throws
// std::system_error where the device cannot be read.
std::vector<Signature> copies_of_superblocks(const results::Descriptor& device, std::uint64_t bytes);

}  // namespace muster::healthcheck::scratch
