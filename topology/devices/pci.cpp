// SPDX-License-Identifier: Apache-2.0
#include "topology/devices/pci.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace muster::topology {
namespace {

constexpr std::int64_t nvidia = 0x10de;
constexpr std::int64_t no_vendor = 0xffff;

std::string file(const std::string& address, std::string_view name) {
  return fmt::format("sys/bus/pci/devices/{}/{}", address, name);
}

}  // namespace

std::vector<PciDevice> pci_devices(const Sysfs& sysfs) {
  std::vector<PciDevice> devices;
  for (const auto& address : sysfs.list("sys/bus/pci/devices")) {
    const auto class_code = sysfs.number(file(address, "class"));
    if (!class_code) continue;  // removed since it was listed
    PciDevice device{.address = address, .class_code = *class_code, .numa_node = std::nullopt};
    device.vendor = sysfs.number(file(address, "vendor")).value_or(no_vendor);
    device.device = sysfs.number(file(address, "device")).value_or(no_vendor);
    if (const auto node = sysfs.number(file(address, "numa_node")); node && *node >= 0)
      device.numa_node = static_cast<int>(*node);
    devices.push_back(std::move(device));
  }
  return devices;
}

std::vector<PciDevice> nvidia_gpus(const Sysfs& sysfs) {
  std::vector<PciDevice> gpus;
  std::ranges::copy_if(pci_devices(sysfs), std::back_inserter(gpus), is_nvidia_gpu);
  return gpus;
}

bool is_nvidia_gpu(const PciDevice& device) {
  const auto kind = device.class_code >> 8;
  return (kind == 0x0300 || kind == 0x0302) && (device.vendor == nvidia || device.vendor == no_vendor);
}

bool answers(const Sysfs& sysfs, const PciDevice& device) {
  if (device.vendor == no_vendor) return false;
  const auto config = sysfs.bytes(file(device.address, "config"));
  return !config || !config->starts_with("\xff\xff\xff\xff");
}

std::string id(const PciDevice& device) { return fmt::format("{:04x}:{:04x}", device.vendor, device.device); }

}  // namespace muster::topology
