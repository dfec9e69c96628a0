// SPDX-License-Identifier: Apache-2.0
#include "topology/kernel/filesystems.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "topology/kernel/mounts.hpp"
#include "topology/kernel/parsed.hpp"

namespace muster::topology {
namespace {

constexpr std::array<std::string_view, 4> never_written = {"squashfs", "iso9660", "erofs", "cramfs"};
// What ext4 says of a file system that it gave up, from Linux 6.14 on (fs/ext4/super.c).
constexpr std::array<std::string_view, 2> given_up = {"emergency_ro", "shutdown"};

// Whether a list such as "rw,relatime" has this entry.
bool has(std::string_view options, std::string_view wanted) {
  for (std::size_t at = 0; at <= options.size();) {
    const auto end = std::min(options.find(',', at), options.size());
    if (options.substr(at, end - at) == wanted) return true;
    at = end + 1;
  }
  return false;
}

// The kernel turns a file system read-only, but not its mounts, when it meets an error.
Access access_of(const Mount& mount) {
  const auto is_on = [&](std::string_view option) { return has(mount.options, option); };
  if (std::ranges::any_of(given_up, is_on)) return Access::failed;
  if (!is_on("ro")) return Access::read_write;
  return has(mount.point_options, "rw") ? Access::failed : Access::read_only;
}

}  // namespace

std::string_view to_text(Access access) {
  switch (access) {
    case Access::read_write:
      return "rw";
    case Access::read_only:
      return "ro";
    default:
      return "ro after an error";
  }
}

std::vector<Filesystem> filesystems(const Sysfs& sysfs) {
  std::map<std::string, Filesystem> found;
  for (const auto& mount : parsed(sysfs, "proc/self/mountinfo", mounts).value_or(std::vector<Mount>())) {
    const auto device = block_device(sysfs, mount);
    if (!device || std::ranges::find(never_written, mount.type) != never_written.end()) continue;
    auto& filesystem = found.try_emplace(*device, Filesystem{*device, mount.point, mount.type, {}, {}}).first->second;
    filesystem.access = std::max(filesystem.access, access_of(mount));
    filesystem.errors = sysfs.number("sys/fs/ext4/" + *device + "/errors_count");
  }
  std::vector<Filesystem> all;
  for (auto& [device, filesystem] : found) all.push_back(std::move(filesystem));
  return all;
}

}  // namespace muster::topology
