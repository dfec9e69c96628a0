// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "results/system/descriptor.hpp"

namespace muster::benchmarks::disk {

// The file system under a folder.
struct Room {
  std::uint64_t bytes = 0;      // of all of it
  std::uint64_t available = 0;  // to us
};

// A new file in a folder, open for transfers that go past the page cache. It has no name, so it is gone when its
// process is, however that ends; where the file system wants one, it has it until it is locked and holds its header.
class OwnFile {
 public:
  // Where data begins, after the header.
  static constexpr std::uint64_t data_begin = std::uint64_t{1} << 20;

  // With room for so many bytes of data. Throws DiskError, or Error: a folder that is missing or cannot be written, a
  // file system that forbids direct transfers, no space, a quota.
  OwnFile(const std::filesystem::path& folder, std::uint64_t data_bytes);

  int number() const { return file_.number(); }
  std::uint64_t data_bytes() const { return data_bytes_; }

 private:
  results::Descriptor file_;
  std::uint64_t data_bytes_;
};

Room room(const std::filesystem::path& folder);

// Removes what an OwnFile left that was killed while it had a name: files with its header that nobody holds.
// Returns how many. Other files are not touched, whatever their name is.
std::size_t remove_stale_files(const std::filesystem::path& folder);

}  // namespace muster::benchmarks::disk
