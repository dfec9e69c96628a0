// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "tests/support/files.hpp"

namespace muster::tests {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

// An empty folder beside the built programs, which lie on a disk more often than temporary files do.
class DiskFolder : public TemporaryFolder {
 public:
  DiskFolder() : TemporaryFolder(bin_folder()) {}

  // Why direct transfers cannot be tested here; empty where they can.
  std::string why_no_disk() const;
  // The number of the block device below: "259:1".
  std::string device() const;
};

}  // namespace muster::tests
