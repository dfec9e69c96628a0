// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/disk/extents.hpp"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "benchmarks/disk/disk_error.hpp"

namespace muster::benchmarks::disk {
namespace {

constexpr unsigned extents_at_once = 128;
// What nobody can read at a place of the device, or what would not come from there.
constexpr unsigned is_elsewhere = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED |
                                  FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL | FIEMAP_EXTENT_UNWRITTEN;

// The kernel's, from there on, as many as it tells at once.
std::vector<fiemap_extent> extents_from(int file, std::uint64_t begin, std::uint64_t end) {
  alignas(fiemap) std::array<std::byte, sizeof(fiemap) + extents_at_once * sizeof(fiemap_extent)> memory{};
  auto* asked = reinterpret_cast<fiemap*>(memory.data());
  asked->fm_start = begin;
  asked->fm_length = end - begin;
  asked->fm_flags = FIEMAP_FLAG_SYNC;
  asked->fm_extent_count = extents_at_once;
  if (ioctl(file, FS_IOC_FIEMAP, asked) != 0)
    throw_error(errno, "the file system does not tell where a file lies (FIEMAP)");
  std::vector<fiemap_extent> found(asked->fm_mapped_extents);
  if (!found.empty()) std::memcpy(found.data(), memory.data() + sizeof(fiemap), found.size() * sizeof(fiemap_extent));
  return found;
}

}  // namespace

std::vector<Extent> extents(const OwnFile& file) {
  std::vector<Extent> all;
  auto from = OwnFile::data_begin;
  const auto end = from + file.data_bytes();
  while (from < end) {
    const auto found = extents_from(file.number(), from, end);
    if (found.empty()) break;
    for (const auto& each : found) {
      const auto begin = std::max<std::uint64_t>(each.fe_logical, OwnFile::data_begin);
      from = each.fe_logical + each.fe_length;
      if ((each.fe_flags & is_elsewhere) != 0) continue;
      all.push_back({.offset = begin - OwnFile::data_begin,
                     .place = each.fe_physical + (begin - each.fe_logical),
                     .bytes = from - begin});
    }
  }
  return all;
}

std::vector<std::vector<std::uint64_t>> chunks_by_member(const std::vector<Extent>& extents, std::uint64_t chunk_bytes,
                                                         std::size_t members) {
  std::vector<std::vector<std::uint64_t>> chunks(members);
  for (const auto& extent : extents) {
    const auto first = (extent.place + chunk_bytes - 1) / chunk_bytes;
    const auto last = (extent.place + extent.bytes) / chunk_bytes;
    for (auto chunk = first; chunk < last; ++chunk)
      chunks.at(chunk % members).push_back(extent.offset + (chunk * chunk_bytes - extent.place));
  }
  return chunks;
}

}  // namespace muster::benchmarks::disk
