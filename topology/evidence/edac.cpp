// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <fmt/format.h>

namespace muster::topology {

std::vector<Counter> edac(const Sysfs& sysfs) {
  const std::string folder = "sys/devices/system/edac/mc";
  std::vector<Counter> counters;
  for (const auto& name : sysfs.list(folder)) {
    const auto number = number_after("mc", name);
    if (!number) continue;
    const Counter::Labels labels = {{"memory_controller", *number}};
    add_counter(counters, "edac.correctable", labels, sysfs.number(fmt::format("{}/{}/ce_count", folder, name)));
    add_counter(counters, "edac.uncorrectable", labels, sysfs.number(fmt::format("{}/{}/ue_count", folder, name)));
  }
  return counters;
}

}  // namespace muster::topology
