// SPDX-License-Identifier: Apache-2.0
#include "topology/evidence/evidence.hpp"

#include <fmt/format.h>

#include <set>

namespace muster::topology {

std::vector<Counter> thermal_throttle(const Sysfs& sysfs) {
  const std::string folder = "sys/devices/system/cpu";
  std::vector<Counter> counters;
  std::set<std::string> packages;  // every CPU of a package shows the package's counter
  for (const auto& name : sysfs.list(folder)) {
    const auto cpu = number_after("cpu", name);
    if (!cpu) continue;
    const auto file = [&](std::string_view rest) { return fmt::format("{}/{}/{}", folder, name, rest); };
    add_counter(counters, "cpu.thermal_throttle", {{"cpu", *cpu}},
                sysfs.number(file("thermal_throttle/core_throttle_count")));
    const auto package = sysfs.text(file("topology/physical_package_id"));
    if (package && packages.insert(*package).second)
      add_counter(counters, "cpu.thermal_throttle", {{"package", *package}},
                  sysfs.number(file("thermal_throttle/package_throttle_count")));
  }
  return counters;
}

}  // namespace muster::topology
