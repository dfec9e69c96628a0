// SPDX-License-Identifier: Apache-2.0
#include "topology/counters/block_traffic.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "topology/devices/nvme.hpp"
#include "topology/kernel/error.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

std::optional<BlockTraffic> traffic_in(const Sysfs& sysfs, const std::string& folder) {
  return parsed(sysfs, folder + "/stat", [](std::string_view text) { return block_traffic(text); });
}

// Of the hidden devices that are the paths to this one, or to the one that it is a part of; nothing where there are
// none.
std::optional<BlockTraffic> traffic_of_paths(const Sysfs& sysfs, const std::string& folder) {
  const bool is_part = sysfs.exists(folder + "/partition");
  const std::filesystem::path place = sysfs.link(folder).value_or("");
  const auto whole = (is_part ? place.parent_path() : place).filename();
  const auto subsystem = folder + (is_part ? "/../device" : "/device");
  std::optional<BlockTraffic> sum;
  for (const auto& controller : sysfs.list(subsystem)) {
    if (!controller.starts_with("nvme")) continue;
    for (const auto& path : sysfs.list(fmt::format("{}/{}", subsystem, controller))) {
      if (path == whole || without_path(path) != whole) continue;
      const auto one = traffic_in(sysfs, fmt::format("{}/{}/{}", subsystem, controller, path)).value_or(BlockTraffic());
      sum = {.read_bytes = (sum ? sum->read_bytes : 0) + one.read_bytes,
             .written_bytes = (sum ? sum->written_bytes : 0) + one.written_bytes};
    }
  }
  return sum;
}

}  // namespace

BlockTraffic block_traffic(std::string_view stat) {
  constexpr std::int64_t sector_bytes = 512;  // whatever those of the device are
  constexpr std::size_t sectors_read = 2;
  constexpr std::size_t sectors_written = 6;
  const auto fields = words(stat);
  if (fields.size() > sectors_written) {
    const auto read = whole_number(fields[sectors_read]);
    const auto written = whole_number(fields[sectors_written]);
    if (read && written) return {.read_bytes = *read * sector_bytes, .written_bytes = *written * sector_bytes};
  }
  throw Error("'" + std::string(stat) + "' are not the counts of a block device");
}

std::optional<BlockTraffic> block_traffic(const Sysfs& sysfs, std::string_view number) {
  const auto folder = fmt::format("sys/dev/block/{}", number);
  const auto own = traffic_in(sysfs, folder);
  if (!own || own->read_bytes != 0 || own->written_bytes != 0) return own;
  const auto by_paths = traffic_of_paths(sysfs, folder);
  return by_paths ? by_paths : own;
}

}  // namespace muster::topology
