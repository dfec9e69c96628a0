// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/disk/queue.hpp"
#include "results/values/measurement.hpp"
#include "topology/kernel/sysfs.hpp"

// Where a check of disks has its file, and whether what it moves is moved by a disk.
namespace muster::healthcheck {

// How disks are measured; what is not given is the check's own choice.
struct DiskSettings {
  std::optional<std::size_t> bytes;  // of its file
  std::size_t reserve_bytes = 0;     // to be left free
  std::optional<double> seconds;     // of all that is measured
};

constexpr std::size_t min_file_bytes = std::size_t{64} << 20;  // of blocks of 1 MiB more than are under way at once

// A folder to measure, by what the kernel says of the mount above it: a look at the folder itself may hang. Or a whole
// drive, by its block device.
struct DiskTarget {
  std::filesystem::path path;  // without links
  std::string mount;           // where its file system is mounted; empty where that is not known, as what follows
  std::string filesystem;      // "ext4"
  std::string device;          // the number of its block device, "259:1"
  results::Labels labels;      // of a folder path and, where there is one, device by its name; of a drive its own
  bool named = true;           // by the profile or a user, so that it must be measured
};

// A folder, without links; as it was given where nobody answers within a second, as the server of a network mount may.
// Throws benchmarks::Error where it is none.
std::filesystem::path folder_at(const std::filesystem::path& path);

DiskTarget place_at(const topology::Sysfs& sysfs, const std::filesystem::path& path);

// Those that share a drive together.
std::vector<std::vector<DiskTarget>> by_drives(const topology::Sysfs& sysfs, const std::vector<DiskTarget>& places);

// Whether its file system is that of another machine, or of a program: it may fail without a drive of this one.
bool is_remote(const DiskTarget& place);

// Throws benchmarks::Error where it is on no disk, or on one that memory answers for: of RAM, compressed or not, or of
// a file that is cached; and where nobody named it, on none of this machine.
void expect_disk(const topology::Sysfs& sysfs, const DiskTarget& place);

// How large its file is to be. Throws benchmarks::Error where it would leave less free than it must.
std::size_t file_bytes(const std::filesystem::path& folder, const DiskSettings& settings);

// What a block device, by its number, "259:1", has counted from a moment on; others may have moved some of it.
class DeviceBytes {
 public:
  DeviceBytes(const topology::Sysfs& sysfs, std::string number);

  // How much of the bytes that are claimed, or why nobody can tell.
  results::Value share_of(benchmarks::disk::Direction direction, double claimed_bytes) const;

 private:
  std::optional<double> moved(benchmarks::disk::Direction direction) const;

  const topology::Sysfs& sysfs_;
  std::string number_;
  std::optional<double> read_;
  std::optional<double> written_;
};

}  // namespace muster::healthcheck
