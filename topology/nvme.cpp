// SPDX-License-Identifier: Apache-2.0
#include "topology/nvme.hpp"

#include <fmt/format.h>

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
                      .state = file("state")});
  }
  return drives;
}

}  // namespace muster::topology
