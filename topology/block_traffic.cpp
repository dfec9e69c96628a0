// SPDX-License-Identifier: Apache-2.0
#include "topology/block_traffic.hpp"

#include <fmt/format.h>

#include "topology/error.hpp"
#include "topology/parsed.hpp"
#include "topology/scan.hpp"

namespace muster::topology {

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
  return parsed(sysfs, fmt::format("sys/dev/block/{}/stat", number),
                [](std::string_view text) { return block_traffic(text); });
}

}  // namespace muster::topology
