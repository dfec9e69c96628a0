// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/nvme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace muster::topology {
namespace {

// Transports of NVMe over fabrics, by drivers/nvme/host; what names none is inside this machine.
constexpr std::array<std::string_view, 4> networks = {"rdma", "tcp", "fc", "loop"};

const std::string& subsystem_of(const NvmeDrive& drive) {
  return drive.subsystem.empty() ? drive.name : drive.subsystem;  // as of a kernel that does not tell it
}

}  // namespace

std::vector<NvmeDrive> nvme_drives(const Sysfs& sysfs) {
  std::vector<NvmeDrive> drives;
  for (const auto& name : sysfs.list("sys/class/nvme")) {
    const auto file = [&](std::string_view what) {
      return sysfs.text(fmt::format("sys/class/nvme/{}/{}", name, what)).value_or("");
    };
    if (std::ranges::find(networks, file("transport")) != networks.end()) continue;
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

std::vector<FabricsController> fabrics_controllers(const Sysfs& sysfs) {
  std::vector<FabricsController> found;
  for (const auto& name : sysfs.list("sys/class/nvme")) {
    const auto file = [&](std::string_view what) {
      return sysfs.text(fmt::format("sys/class/nvme/{}/{}", name, what)).value_or("");
    };
    auto transport = file("transport");
    if (std::ranges::find(networks, transport) == networks.end()) continue;
    found.push_back(
        {.name = name, .transport = std::move(transport), .address = file("address"), .state = file("state")});
  }
  return found;
}

std::string without_path(std::string name) {
  if (const auto path = name.find('c'); path != std::string::npos) name.erase(path, name.find('n', path) - path);
  return name;
}

std::vector<std::string> namespaces(const Sysfs& sysfs, const NvmeDrive& drive) {
  std::vector<std::string> names;
  for (auto& name : sysfs.list("sys/class/nvme/" + drive.name))
    if (name.starts_with("nvme")) names.push_back(without_path(std::move(name)));  // with native multipath it is a path
  return names;
}

std::string identity(const NvmeDrive& drive, std::string_view device) {
  return fmt::format("{} {}", subsystem_of(drive), device.substr(device.rfind('n')));
}

std::size_t count_of_drives(const Sysfs& sysfs, const std::vector<NvmeDrive>& controllers) {
  std::set<std::string> drives;
  for (const auto& each : controllers)
    for (const auto& device : namespaces(sysfs, each)) drives.insert(identity(each, device));
  return drives.size();
}

std::vector<NvmeDrive> one_of_each_subsystem(const Sysfs& sysfs, const std::vector<NvmeDrive>& controllers) {
  std::vector<NvmeDrive> chosen;
  for (const auto& each : controllers) {
    const auto same = std::ranges::find(chosen, subsystem_of(each), subsystem_of);
    if (same == chosen.end())
      chosen.push_back(each);
    else if (namespaces(sysfs, *same).empty() && !namespaces(sysfs, each).empty())
      *same = each;
  }
  return chosen;
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
