// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/completed.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/devices/bus_id.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

using Nodes = std::map<std::string, const PciNode*, std::less<>>;

void complete(std::vector<PciNode>& nodes, const Nodes& here, bool below_a_switch = false) {
  const auto same = [&](const PciNode& node) {
    const auto found = here.find(lower_case(node.address));
    return found == here.end() ? nullptr : found->second;
  };
  for (PciNode& node : nodes)
    if (const PciNode* found = same(node); found != nullptr) {
      if (node.device_class.empty()) node.device_class = found->device_class;
      if (node.vendor.empty()) node.vendor = found->vendor;
    }
  const bool beside_a_gpu =
      below_a_switch && std::ranges::any_of(nodes, [](const auto& node) { return kind(node) == DeviceKind::gpu; });
  for (PciNode& node : nodes) {
    const PciNode* found = same(node);
    node.rdma = found != nullptr ? found->rdma : beside_a_gpu && !node.nic && kind(node) == DeviceKind::ethernet;
    complete(node.children, here, true);
  }
}

void complete_masks(Machine& file, const Machine& here) {
  for (NumaDomain& domain : file.domains) {
    if (domain.cpus) continue;
    const auto same = std::ranges::find(here.domains, domain.number, &NumaDomain::number);
    const bool is_known = same != here.domains.end() && same->cpus && !same->cpus->empty();
    domain.cpus = is_known ? *same->cpus : all_cpus(here);
  }
}

bool has_masks_of(const Machine& file, const Machine& here) {
  return std::ranges::all_of(file.domains, [&](const NumaDomain& domain) {
    return domain.cpus && (domain.cpus == all_cpus(here) ||
                           std::ranges::find(here.domains, domain.cpus, &NumaDomain::cpus) != here.domains.end());
  });
}

}  // namespace

Machine completed(Machine file, const Discovery& here) {
  if (const auto hosts = host_hashes(file).size(); hosts > 1) throw Error(of_several_hosts(hosts));
  Nodes nodes;
  for (const DeviceLocation& device : all_devices(here.machine)) nodes.emplace(device.node->address, device.node);
  for (NumaDomain& domain : file.domains) complete(domain.devices, nodes);
  if (!devices(file, DeviceKind::gpu).empty()) complete_masks(file, here.machine);
  if (file.domains.empty() || !has_masks_of(file, here.machine)) return file;
  file.cores = here.machine.cores;
  return usable(std::move(file), here.allowed);
}

}  // namespace muster::topology
