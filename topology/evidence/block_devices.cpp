// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <fmt/format.h>

namespace muster::topology {

std::vector<Counter> block_devices(const Sysfs& sysfs) {
  std::vector<Counter> counters;
  for (const auto& device : sysfs.list("sys/block")) {
    const auto folder = "sys/block/" + device;
    if (sysfs.number(folder + "/removable").value_or(0) != 0) continue;  // asking an empty drive for its medium is one
    add_counter(counters, "block.io_errors", {{"device", device}}, sysfs.number(folder + "/device/ioerr_cnt"));
  }
  for (const auto& device : sysfs.list("sys/fs/ext4"))
    add_counter(counters, "filesystem.errors", {{"device", device}},
                sysfs.number(fmt::format("sys/fs/ext4/{}/errors_count", device)));
  return counters;
}

}  // namespace muster::topology
