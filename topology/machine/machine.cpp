// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/machine.hpp"

#include <algorithm>
#include <iterator>

#include "results/strings/names.hpp"

namespace muster::topology {
namespace {

constexpr results::Names<6> kind_names{"switch", "GPU", "InfiniBand NIC", "Ethernet NIC", "drive", "device"};

void collect(const PciNode& node, const PciNode* bridge, const NumaDomain& domain, std::vector<DeviceLocation>& into) {
  into.push_back({.node = &node, .bridge = bridge, .domain = &domain});
  for (const PciNode& child : node.children) collect(child, &node, domain, into);
}

}  // namespace

DeviceKind kind(const PciNode& node) {
  const std::string_view code = node.device_class;
  if (!node.gpus.empty()) return DeviceKind::gpu;
  if (code.starts_with("0x0207")) return DeviceKind::infiniband;
  if (code.starts_with("0x02") || node.nic) return DeviceKind::ethernet;
  if (code.starts_with("0x0300") || code.starts_with("0x0302")) return DeviceKind::gpu;
  if (code.starts_with("0x0108")) return DeviceKind::drive;
  if (code.starts_with("0x0604") || !node.children.empty()) return DeviceKind::bridge;
  return DeviceKind::other;
}

std::string name(const NumaDomain& domain) { return "numa " + std::to_string(domain.number.value_or(-1)); }

std::string name_of(const DeviceNames& names, std::string_view address) {
  const auto name = names.find(address);
  return name == names.end() ? std::string() : name->second;
}

std::string_view to_text(DeviceKind kind) { return results::name_of(kind_names, kind); }

std::vector<DeviceLocation> all_devices(const Machine& machine) {
  std::vector<DeviceLocation> placed;
  for (const NumaDomain& domain : machine.domains)
    for (const PciNode& node : domain.devices) collect(node, nullptr, domain, placed);
  return placed;
}

std::vector<DeviceLocation> devices(const Machine& machine, DeviceKind wanted) {
  std::vector<DeviceLocation> placed = all_devices(machine);
  std::erase_if(placed, [wanted](const DeviceLocation& device) { return kind(*device.node) != wanted; });
  std::ranges::stable_sort(placed, {}, [](const DeviceLocation& device) { return device.node->address; });
  return placed;
}

std::vector<const PciNode*> below(const PciNode& bridge, DeviceKind wanted) {
  std::vector<const PciNode*> found;
  for (const PciNode& child : bridge.children)
    if (kind(child) == wanted) found.push_back(&child);
  return found;
}

}  // namespace muster::topology
