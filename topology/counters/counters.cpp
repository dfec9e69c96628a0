// SPDX-License-Identifier: Apache-2.0
#include "topology/counters/counters.hpp"

#include <fmt/format.h>

#include <set>

#include "topology/kernel/parsed.hpp"
#include "topology/kernel/scan.hpp"

namespace muster::topology {
namespace {

// "cpu12" -> "12"; nothing for "cpufreq".
std::optional<std::string> number_after(std::string_view prefix, const std::string& name) {
  if (!name.starts_with(prefix) || !whole_number(name.substr(prefix.size()))) return std::nullopt;
  return name.substr(prefix.size());
}

}  // namespace

void add_counter(std::vector<Counter>& counters, std::string metric, Counter::Labels labels,
                 std::optional<double> value) {
  if (value) counters.push_back({std::move(metric), std::move(labels), *value});
}

std::int64_t aer_total(std::string_view text) {
  for (const auto line : lines(text)) {
    const auto part = words(line);
    if (part.size() != 2 || !part[0].starts_with("TOTAL_ERR")) continue;
    if (const auto total = whole_number(part[1])) return *total;
  }
  throw Error("'" + std::string(text) + "' has no line such as 'TOTAL_ERR_COR 0'");
}

std::vector<Counter> pcie_aer(const Sysfs& sysfs) {
  std::vector<Counter> counters;
  for (const auto& address : sysfs.list("sys/bus/pci/devices"))
    for (const auto* kind : {"correctable", "nonfatal", "fatal"})
      add_counter(counters, fmt::format("pcie_aer.{}", kind), {{"pci", address}},
                  parsed(sysfs, fmt::format("sys/bus/pci/devices/{}/aer_dev_{}", address, kind), aer_total));
  return counters;
}

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
