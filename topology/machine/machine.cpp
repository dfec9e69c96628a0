// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include "results/strings/names.hpp"

namespace muster::topology {
namespace {

constexpr results::Names<7> kind_names{"switch",       "GPU",   "InfiniBand NIC", "RDMA NIC",
                                       "Ethernet NIC", "drive", "device"};

// Names that the kernel gives network interfaces, and no RDMA device.
constexpr std::array interface_names{"eth", "eno", "enp", "ens", "enP", "enx", "bond", "br", "veth", "lo"};

// NCCL writes a 'net' for a plain network interface, too: it has neither port nor GUID.
bool is_rdma(const Net& net) {
  const auto number = [](const std::string& text) { return std::strtoull(text.c_str(), nullptr, 16); };
  const bool by_sockets = net.port == 0 && number(net.guid) == 0;
  return !by_sockets &&
         std::ranges::none_of(interface_names, [&](std::string_view begin) { return net.name.starts_with(begin); });
}

bool is_rdma(const PciNode& node) {
  return node.rdma || (node.nic && std::ranges::any_of(node.nic->nets, [](const Net& net) { return is_rdma(net); }));
}

void collect(const PciNode& node, const PciNode* bridge, const NumaDomain& domain, std::vector<DeviceLocation>& into) {
  into.push_back({.node = &node, .bridge = bridge, .domain = &domain});
  for (const PciNode& child : node.children) collect(child, &node, domain, into);
}

}  // namespace

DeviceKind kind(const PciNode& node) {
  const std::string_view code = node.device_class;
  if (!node.gpus.empty()) return DeviceKind::gpu;
  if (code.starts_with("0x0207")) return DeviceKind::infiniband;
  if (code.starts_with("0x02") || node.nic || node.rdma) return is_rdma(node) ? DeviceKind::rdma : DeviceKind::ethernet;
  if (code.starts_with("0x0300") || code.starts_with("0x0302")) return DeviceKind::gpu;
  if (code.starts_with("0x0604") || !node.children.empty()) return DeviceKind::bridge;
  if (code.starts_with("0x0108")) return DeviceKind::drive;
  return DeviceKind::other;
}

std::vector<int> all_cpus(const Machine& machine) {
  std::vector<int> all;
  for (const NumaDomain& domain : machine.domains)
    if (domain.cpus) std::ranges::copy(*domain.cpus, std::back_inserter(all));
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
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

std::vector<DeviceLocation> gpu_nics(const Machine& machine) {
  auto nics = devices(machine, DeviceKind::infiniband);
  return nics.empty() ? devices(machine, DeviceKind::rdma) : nics;
}

bool is_nic(const PciNode& node) {
  const auto what = kind(node);
  return what == DeviceKind::infiniband || what == DeviceKind::rdma || what == DeviceKind::ethernet;
}

DeviceNames net_names(const Machine& machine) {
  DeviceNames names;
  for (const DeviceLocation& device : all_devices(machine))
    if (device.node->nic && !device.node->nic->nets.empty())
      names.emplace(device.node->address, device.node->nic->nets.front().name);
  return names;
}

std::vector<std::string> host_hashes(const Machine& machine) {
  std::vector<std::string> hashes;
  for (const NumaDomain& domain : machine.domains)
    if (!domain.host_hash.empty() && std::ranges::find(hashes, domain.host_hash) == hashes.end())
      hashes.push_back(domain.host_hash);
  return hashes;
}

std::string of_several_hosts(std::size_t hosts) {
  return fmt::format("this is a dump of {} hosts (host_hash); keep the 'cpu' elements of one", hosts);
}

Machine first_host(Machine machine) {
  const auto hashes = host_hashes(machine);
  if (!hashes.empty())
    std::erase_if(machine.domains, [&](const NumaDomain& domain) {
      return !domain.host_hash.empty() && domain.host_hash != hashes.front();
    });
  return machine;
}

std::vector<const PciNode*> below(const PciNode& bridge, DeviceKind wanted) {
  std::vector<const PciNode*> found;
  for (const PciNode& child : bridge.children)
    if (kind(child) == wanted) found.push_back(&child);
  return found;
}

}  // namespace muster::topology
