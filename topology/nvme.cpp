// SPDX-License-Identifier: Apache-2.0
#include "topology/nvme.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace muster::topology {

std::vector<NvmeDrive> nvme_drives(const Sysfs& sysfs) {
  std::vector<NvmeDrive> drives;
  for (const auto& name : sysfs.list("sys/class/nvme")) {
    const auto file = [&](std::string_view what) {
      return sysfs.text(fmt::format("sys/class/nvme/{}/{}", name, what)).value_or("");
    };
    if (const auto transport = file("transport"); !transport.empty() && transport != "pcie") continue;
    drives.push_back({.name = name,
                      .pci = sysfs.link_name("sys/class/nvme/" + name + "/device").value_or(""),
                      .model = file("model"),
                      .firmware = file("firmware_rev"),
                      .serial = file("serial"),
                      .state = file("state"),
                      .subsystem = file("subsysnqn")});
  }
  return drives;
}

std::size_t count_of_drives(const std::vector<NvmeDrive>& controllers) {
  std::set<std::string> drives;
  for (const auto& each : controllers) drives.insert(each.subsystem.empty() ? each.name : each.subsystem);
  return drives.size();
}

std::vector<std::string> namespaces(const Sysfs& sysfs, const NvmeDrive& drive) {
  std::vector<std::string> names;
  for (auto name : sysfs.list("sys/class/nvme/" + drive.name)) {
    if (!name.starts_with("nvme")) continue;
    // With native multipath it is the path "nvme0c1n1" to the block device "nvme0n1".
    if (const auto path = name.find('c'); path != std::string::npos) name.erase(path, name.find('n', path) - path);
    names.push_back(std::move(name));
  }
  return names;
}

std::optional<NvmeDrive> drive_of(const Sysfs& sysfs, const std::vector<NvmeDrive>& drives, std::string_view device) {
  for (const auto& drive : drives)
    for (const auto& name : namespaces(sysfs, drive))
      if (device == name || device.starts_with(name + "p")) return drive;
  return std::nullopt;
}

std::optional<double> temperature(const Sysfs& sysfs, const NvmeDrive& drive) {
  const auto folder = "sys/class/nvme/" + drive.name;
  for (const auto& name : sysfs.list(folder))
    if (name.starts_with("hwmon"))
      if (const auto thousandths = sysfs.number(fmt::format("{}/{}/temp1_input", folder, name)))
        return static_cast<double>(*thousandths) / 1000;
  return std::nullopt;
}

}  // namespace muster::topology
