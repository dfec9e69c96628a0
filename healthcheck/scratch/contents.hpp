// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/system/descriptor.hpp"

namespace muster::healthcheck::scratch {

// Of the array, as its members say, and of its file system.
constexpr std::string_view own_name = "muster-scratch";
// Where the array's data begins on each drive: what is blank at both ends of the drives is so at those of the array.
constexpr std::uint64_t data_offset = std::uint64_t{1} << 20;
constexpr std::uint64_t ends_of_drive = 2 * data_offset;
constexpr std::uint64_t ends_of_array = data_offset;
// At the end of the array, which the file system leaves alone: where it stands no file system of ours was finished.
constexpr std::string_view unfinished = "muster-scratch: its file system is being made\n";

// Where a member of an array has its superblock of version 1.2, md(4).
constexpr std::uint64_t superblock_offset = 4096;

// What libblkid knows on a device, by where it stands.
struct Signature {
  std::string text;  // "a file system (ext4) named data"
  std::uint64_t offset = 0;
  bool is_own_filesystem = false;

  bool operator==(const Signature&) const = default;
};

// What a member of an array of ours says, by the superblock 1.2 of Linux's md.
struct Membership {
  std::string uuid;  // of the array, in mdadm's form
  std::size_t slot = 0;
  std::size_t members = 0;
  std::uint64_t data_begin = 0;  // of the array's data on this drive, in bytes
  std::uint64_t data_end = 0;

  bool operator==(const Membership&) const = default;
};

struct Contents {
  std::string problem;  // why nobody knows; all else is then empty
  std::vector<Signature> signatures;
  std::optional<Membership> membership;
  bool is_blank = false;       // nothing but zeros in the first and in the last bytes, and in samples of all others
  bool is_unfinished = false;  // it says so itself

  bool operator==(const Contents&) const = default;
};

// A block device that has this number, "259:1", or a file in its place where none is given. Throws std::system_error,
// and std::runtime_error where it is another device.
results::Descriptor opened(const std::filesystem::path& device, const std::optional<std::string>& number, int flags);

// As many bytes as there are. Throws std::system_error.
std::size_t read_at(const results::Descriptor& device, std::uint64_t offset, std::span<char> into);

// Of an open device of so many bytes; blank is it by its first and last `ends`, and by samples of what is between.
// Never throws for what it holds: what cannot be read is a problem.
Contents contents_of(const results::Descriptor& device, std::uint64_t bytes, std::uint64_t ends);

// Writes, or wipes, what `is_unfinished` tells of. Throws std::system_error.
void mark_unfinished(const results::Descriptor& device, std::uint64_t bytes, bool is_unfinished);

}  // namespace muster::healthcheck::scratch
