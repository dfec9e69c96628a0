// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/discover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "topology/cpu/cgroup.hpp"
#include "topology/cpu/cpus.hpp"
#include "topology/cpu/numa.hpp"
#include "topology/devices/bus_id.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/pci.hpp"
#include "topology/kernel/parsed.hpp"
#include "topology/kernel/text_fields.hpp"
#include "topology/machine/pci_link.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view all_devices_folder = "sys/bus/pci/devices/";

constexpr std::int64_t infiniband = 0x0207;
constexpr std::int64_t ethernet = 0x0200;
constexpr std::int64_t nvme = 0x0108;

std::int64_t kind(const PciDevice& device) { return device.class_code >> 8; }

// The bridges above a device as NCCL sees them, the highest first: a switch is two bridges (its port up and its port
// down), of which NCCL takes the upper one; what hangs on a root port hangs on the CPU.
std::vector<std::string> bridges_above(const Sysfs& sysfs, const std::string& address) {
  std::vector<std::string> chain;
  const std::filesystem::path place(sysfs.link(std::string(all_devices_folder) + address).value_or(""));
  for (const auto& part : place)
    if (is_bus_id(part.string())) chain.push_back(part.string());
  std::vector<std::string> bridges;
  for (std::size_t up = 3; up <= chain.size(); up += 2) bridges.push_back(chain[chain.size() - up]);
  std::ranges::reverse(bridges);
  return bridges;
}

std::string model(const PciNode& node) { return node.vendor + node.device; }

// An RDMA NIC beside no GPU and of a model that is there fewer times than another is the host's own: it is plain.
void set_apart(std::vector<PciNode>& nodes, const std::set<std::string>& models, bool below_a_switch = false) {
  const auto is_gpu = [](const PciNode& node) { return kind(node) == DeviceKind::gpu; };
  const bool beside_a_gpu = below_a_switch && std::ranges::any_of(nodes, is_gpu);
  for (PciNode& node : nodes) {
    if (!beside_a_gpu && !models.contains(model(node))) node.rdma = false;
    set_apart(node.children, models, true);
  }
}

// The models of RDMA NICs of which there are most.
std::set<std::string> usual_models(const Machine& machine) {
  std::map<std::string, int> counts;
  for (const DeviceLocation& nic : devices(machine, DeviceKind::rdma)) ++counts[model(*nic.node)];
  int most = 0;
  for (const auto& [model, count] : counts) most = std::max(most, count);
  std::set<std::string> models;
  for (const auto& [model, count] : counts)
    if (count == most) models.insert(model);
  return models;
}

class Discoverer {
 public:
  explicit Discoverer(const Sysfs& sysfs) : sysfs_(sysfs) {}

  Discovery run() {
    for (const PciDevice& device : pci_devices(sysfs_)) by_address_.emplace(device.address, device);
    has_infiniband_ =
        std::ranges::any_of(by_address_, [](const auto& device) { return kind(device.second) == infiniband; });
    add_domains();
    add_names();
    for (const auto& [address, device] : by_address_)
      if (is_wanted(device)) place(device);
    found_.machine.cores = cores(sysfs_.quiet());  // the check `cpu` names a damaged file
    found_.allowed = cgroup_limits(sysfs_).cpuset;
    const auto models = usual_models(found_.machine);
    for (NumaDomain& domain : found_.machine.domains) set_apart(domain.devices, models);
    if (!bridges_seen_) invent_bridges();
    return std::move(found_);
  }

 private:
  bool is_wanted(const PciDevice& device) const {
    const auto what = kind(device);
    const bool has_rdma = !has_infiniband_ && rdma_.contains(device.address);
    return has_rdma || is_nvidia_gpu(device) || what == infiniband || what == ethernet || what == nvme;
  }

  void add_domains() {
    const auto cpuinfo = sysfs_.text("proc/cpuinfo").value_or("");
    NumaDomain common;
    common.vendor = value_of(cpuinfo, "vendor_id", ':').value_or("");
    common.architecture = !common.vendor.empty()                                  ? "x86_64"
                          : value_of(cpuinfo, "CPU implementer", ':').has_value() ? "arm64"
                                                                                  : "";
    common.family = whole_number(value_of(cpuinfo, "cpu family", ':').value_or(""));
    common.model = whole_number(value_of(cpuinfo, "model", ':').value_or(""));
    for (const NumaNode& node : numa_nodes(sysfs_)) {
      common.number = node.number;
      common.cpus = node.cpus;
      found_.machine.domains.push_back(common);
    }
    if (!found_.machine.domains.empty()) return;
    common.number = 0;
    if (const auto all = cpus(sysfs_)) common.cpus = all->online;
    found_.machine.domains.push_back(common);
  }

  NumaDomain& domain(const PciDevice& device) {
    auto& domains = found_.machine.domains;
    if (domains.size() == 1) return domains.front();
    const auto number = device.numa_node.value_or(-1);
    auto at = std::ranges::find(domains, Number(number), &NumaDomain::number);
    if (at == domains.end()) {
      NumaDomain unknown = domains.front();
      unknown.number = number;
      unknown.cpus.reset();
      unknown.devices.clear();
      at = domains.insert(domains.end(), std::move(unknown));
    }
    return *at;
  }

  PciNode node(const PciDevice& device) {
    const std::string folder = std::string(all_devices_folder) + device.address;
    found_.now[device.address] = link_now(sysfs_, folder);
    PciNode node;
    node.address = device.address;
    node.device_class = fmt::format("{:#08x}", device.class_code);
    node.link = link_at_most(sysfs_, folder);
    node.vendor = fmt::format("{:#06x}", device.vendor);
    node.device = fmt::format("{:#06x}", device.device);
    node.subsystem_vendor = sysfs_.text(folder + "/subsystem_vendor").value_or("");
    node.subsystem_device = sysfs_.text(folder + "/subsystem_device").value_or("");
    node.rdma = !has_infiniband_ && (rdma_.contains(device.address) || sysfs_.exists(folder + "/infiniband"));
    return node;
  }

  void place(const PciDevice& device) {
    std::vector<PciNode>* among = &domain(device).devices;
    if (kind(device) != nvme)
      for (const std::string& address : bridges_above(sysfs_, device.address)) {
        const auto bridge = by_address_.find(address);
        if (bridge == by_address_.end()) continue;
        auto at = std::ranges::find(*among, address, &PciNode::address);
        if (at == among->end()) at = among->insert(at, node(bridge->second));
        among = &at->children;
        bridges_seen_ = true;
      }
    among->push_back(node(device));
  }

  void add_names() {
    for (const auto& name : sysfs_.list("sys/class/net"))
      if (const auto address = sysfs_.link_name("sys/class/net/" + name + "/device")) found_.names[*address] = name;
    for (const Hca& hca : hcas(sysfs_)) {
      found_.names[hca.pci] = hca.name;
      rdma_.insert(hca.pci);
    }
    for (const NvmeDrive& drive : nvme_drives(sysfs_)) found_.names[drive.pci] = drive.name;
  }

  // A switch for each GPU with the NIC of the same rank, in every NUMA node that has as many NICs as GPUs.
  void invent_bridges() {
    int number = 0;
    std::set<std::string> of_gpus;
    for (const DeviceLocation& nic : gpu_nics(found_.machine)) of_gpus.insert(nic.node->address);
    for (NumaDomain& domain : found_.machine.domains) {
      std::vector<PciNode> others;
      std::vector<PciNode> gpus;
      std::vector<PciNode> nics;
      for (PciNode& node : domain.devices)
        (kind(node) == DeviceKind::gpu    ? gpus
         : of_gpus.contains(node.address) ? nics
                                          : others)
            .push_back(std::move(node));
      domain.devices.clear();
      if (gpus.size() == nics.size()) {
        for (std::size_t index = 0; index < gpus.size(); ++index)
          domain.devices.push_back(invented(++number, std::move(gpus[index]), std::move(nics[index])));
        if (!gpus.empty()) found_.switches = Switches::inferred;
      } else {
        std::ranges::move(gpus, std::back_inserter(domain.devices));
        std::ranges::move(nics, std::back_inserter(domain.devices));
      }
      std::ranges::move(others, std::back_inserter(domain.devices));
    }
  }

  static PciNode invented(int number, PciNode gpu, PciNode nic) {
    PciNode bridge;
    bridge.address = fmt::format("ffff:ff:{:02x}.{}", number & 0x1f, number >> 5 & 7);
    bridge.device_class = "0x060400";
    bridge.link = gpu.link;
    for (std::string* id : {&bridge.vendor, &bridge.device, &bridge.subsystem_vendor, &bridge.subsystem_device})
      *id = "0x0000";
    bridge.children.push_back(std::move(gpu));
    bridge.children.push_back(std::move(nic));
    return bridge;
  }

  const Sysfs& sysfs_;
  std::map<std::string, PciDevice, std::less<>> by_address_;
  Discovery found_;
  std::set<std::string> rdma_;   // addresses of what has an RDMA device
  bool has_infiniband_ = false;  // GPUs then use no Ethernet, such as Azure's mlx5_an0, which carries RDMA too
  bool bridges_seen_ = false;
};

// Where each GPU and each of their NICs is.
std::set<std::pair<std::string, Number>> homes(const Machine& machine) {
  std::set<std::pair<std::string, Number>> homes;
  for (const auto& these : {devices(machine, DeviceKind::gpu), gpu_nics(machine)})
    for (const DeviceLocation& device : these) homes.emplace(device.node->address, device.domain->number);
  return homes;
}

// The tree of `known` with the machine's own leaves.
PciNode with_own_leaves(PciNode node, const std::map<std::string, PciNode>& own) {
  if (const auto leaf = own.find(node.address); leaf != own.end()) return leaf->second;
  for (PciNode& child : node.children) child = with_own_leaves(std::move(child), own);
  return node;
}

void keep_for_nccl(std::vector<PciNode>& nodes, const std::set<DeviceKind>& unwanted) {
  std::erase_if(nodes, [&](PciNode& node) {
    const bool bridge = !node.children.empty();
    keep_for_nccl(node.children, unwanted);
    if (bridge) return node.children.empty();
    return unwanted.contains(kind(node));
  });
}

}  // namespace

Discovery discover(const Sysfs& sysfs) { return Discoverer(sysfs).run(); }

bool recognise(Discovery& found, const Machine& known) {
  if (found.switches != Switches::inferred || homes(found.machine) != homes(known)) return false;
  std::map<std::string, PciNode> own;
  for (const DeviceLocation& device : all_devices(found.machine))
    if (device.node->children.empty()) own.emplace(device.node->address, *device.node);
  for (NumaDomain& domain : found.machine.domains) {
    std::erase_if(domain.devices, [](const PciNode& node) { return !node.children.empty(); });
    const auto same = std::ranges::find(known.domains, domain.number, &NumaDomain::number);
    if (same == known.domains.end()) continue;
    std::vector<PciNode> devices;
    for (const PciNode& node : same->devices) devices.push_back(with_own_leaves(node, own));
    domain.devices.insert(domain.devices.begin(), std::make_move_iterator(devices.begin()),
                          std::make_move_iterator(devices.end()));
  }
  found.switches = Switches::recognised;
  return true;
}

Machine usable(Machine machine, const std::optional<std::vector<int>>& allowed) {
  if (!allowed) return machine;
  const auto keep = [&](std::vector<int>& cpus) {
    std::erase_if(cpus, [&](int cpu) { return !std::ranges::binary_search(*allowed, cpu); });
  };
  for (NumaDomain& domain : machine.domains)
    if (domain.cpus) keep(*domain.cpus);
  for (Core& core : machine.cores) keep(core.cpus);
  std::erase_if(machine.cores, [](const Core& core) { return core.cpus.empty(); });
  return machine;
}

Machine usable(const Discovery& found) { return usable(found.machine, found.allowed); }

Machine for_nccl(const Discovery& found) {
  Machine machine = found.machine;
  std::set<DeviceKind> unwanted{DeviceKind::drive};
  if (!gpu_nics(machine).empty()) unwanted.insert(DeviceKind::ethernet);
  if (!devices(machine, DeviceKind::infiniband).empty()) unwanted.insert(DeviceKind::rdma);
  for (NumaDomain& domain : machine.domains) keep_for_nccl(domain.devices, unwanted);
  return machine;
}

}  // namespace muster::topology
