// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "results/system/descriptor.hpp"

namespace muster::benchmarks::disk {

// A whole drive with other people's data, open to be read and for nothing else, past the page cache.
class RawDrive {
 public:
  // Its block device, "/dev/nvme3n1", and the number that it must have, "259:3". Throws DiskError, or Error: not there,
  // no right to read it, another device, nothing on it.
  RawDrive(const std::filesystem::path& device, std::string_view number);

  int number() const { return file_.number(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  results::Descriptor file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace muster::benchmarks::disk
