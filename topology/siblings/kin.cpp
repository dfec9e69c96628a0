// SPDX-License-Identifier: Apache-2.0
#include "topology/siblings/kin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "topology/cpu/cpus.hpp"
#include "topology/devices/infiniband.hpp"
#include "topology/devices/nvme.hpp"
#include "topology/devices/pci.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::topology {
namespace {

using File = FileOfKind;

// Linux Documentation/ABI: stable/sysfs-class-infiniband, testing/sysfs-class-net, testing/sysfs-bus-pci,
// stable/sysfs-devices-system-cpu, stable/sysfs-devices-node, testing/sysfs-devices-edac; drivers/nvme/host/sysfs.c.
constexpr std::array files_of_adapters = {File{"board_id", FileForm::text}, File{"fw_ver", FileForm::text},
                                          File{"hca_type", FileForm::same}, File{"node_type", FileForm::same},
                                          File{"node_guid", FileForm::hex}, File{"sys_image_guid", FileForm::hex},
                                          File{"device", FileForm::link}};
constexpr std::array files_of_ports = {File{"state", FileForm::named},      File{"phys_state", FileForm::named},
                                       File{"link_layer", FileForm::layer}, File{"rate", FileForm::text},
                                       File{"lid", FileForm::number},       File{"sm_lid", FileForm::number},
                                       File{"counters/", FileForm::number}, File{"hw_counters/", FileForm::number},
                                       File{"gids/", FileForm::hex},        File{"pkeys/", FileForm::number}};
constexpr std::array files_of_interfaces = {
    File{"carrier", FileForm::number}, File{"carrier_changes", FileForm::number}, File{"mtu", FileForm::number},
    File{"operstate", FileForm::same}, File{"speed", FileForm::number},           File{"device", FileForm::link}};
constexpr std::array files_of_drives = {
    File{"address", FileForm::hex}, File{"cntlid", FileForm::number},      File{"firmware_rev", FileForm::text},
    File{"model", FileForm::text},  File{"queue_count", FileForm::number}, File{"serial", FileForm::text},
    File{"state", FileForm::text},  File{"transport", FileForm::same},     File{"device", FileForm::link}};
constexpr std::array files_of_namespaces = {File{"size", FileForm::same}, File{"ro", FileForm::same},
                                            File{"queue/logical_block_size", FileForm::same},
                                            File{"queue/rotational", FileForm::same}, File{"device", FileForm::link}};
constexpr std::array files_of_gpus = {File{"information", FileForm::text}};
constexpr std::array files_of_functions = {File{"class", FileForm::number},
                                           File{"vendor", FileForm::number},
                                           File{"device", FileForm::number},
                                           File{"config", FileForm::config},
                                           File{"numa_node", FileForm::number},
                                           File{"local_cpulist", FileForm::cpus},
                                           File{"current_link_speed", FileForm::speed},
                                           File{"current_link_width", FileForm::number},
                                           File{"max_link_speed", FileForm::speed},
                                           File{"max_link_width", FileForm::number},
                                           File{"aer_dev_correctable", FileForm::text},
                                           File{"aer_dev_nonfatal", FileForm::text},
                                           File{"aer_dev_fatal", FileForm::text}};
constexpr std::array files_of_cpus = {File{"topology/core_id", FileForm::number},
                                      File{"topology/physical_package_id", FileForm::number},
                                      File{"topology/thread_siblings_list", FileForm::cpus},
                                      File{"thermal_throttle/core_throttle_count", FileForm::number},
                                      File{"thermal_throttle/package_throttle_count", FileForm::number}};
constexpr std::array files_of_nodes = {File{"cpulist", FileForm::nodes}, File{"cpumap", FileForm::hex},
                                       File{"distance", FileForm::numbers}, File{"meminfo", FileForm::text}};
constexpr std::array files_of_controllers = {
    File{"ce_count", FileForm::number}, File{"ue_count", FileForm::number}, File{"mc_name", FileForm::text},
    File{"seconds_since_reset", FileForm::number}, File{"size_mb", FileForm::number}};

// drivers/infiniband/core/sysfs.c and net/core/net-sysfs.c: what each device has, whatever its driver is.
constexpr std::array<std::string_view, 4> own_of_adapters = {"node_type", "node_guid", "sys_image_guid", "fw_ver"};
constexpr std::array<std::string_view, 6> own_of_ports = {"state", "phys_state", "link_layer", "rate", "lid", "sm_lid"};
constexpr std::array<std::string_view, 4> own_of_interfaces = {"carrier", "mtu", "operstate", "speed"};
constexpr std::array companions_of_adapters = {Companions{"", own_of_adapters}};
constexpr std::array companions_of_interfaces = {Companions{"", own_of_interfaces}};
// The same: each port with counters of performance management has these.
constexpr std::array<std::string_view, 16> basic_counters = {"symbol_error",
                                                             "link_error_recovery",
                                                             "link_downed",
                                                             "port_rcv_errors",
                                                             "port_rcv_remote_physical_errors",
                                                             "port_rcv_switch_relay_errors",
                                                             "port_xmit_discards",
                                                             "port_xmit_constraint_errors",
                                                             "port_rcv_constraint_errors",
                                                             "local_link_integrity_errors",
                                                             "excessive_buffer_overrun_errors",
                                                             "VL15_dropped",
                                                             "port_xmit_data",
                                                             "port_rcv_data",
                                                             "port_xmit_packets",
                                                             "port_rcv_packets"};
constexpr std::array<std::string_view, 4> wide_counters = {"unicast_xmit_packets", "unicast_rcv_packets",
                                                           "multicast_xmit_packets", "multicast_rcv_packets"};
// drivers/infiniband/hw/mlx5/counters.c: groups of which a device of this driver has all or none. Others, such as rxe,
// have counters of the same names.
constexpr std::string_view mellanox = "0x15b3";
constexpr std::array<std::string_view, 4> queue_counters = {"rx_write_requests", "rx_read_requests",
                                                            "rx_atomic_requests", "out_of_buffer"};
constexpr std::array<std::string_view, 5> retry_counters = {"duplicate_request", "rnr_nak_retry_err", "packet_seq_err",
                                                            "implied_nak_seq_err", "local_ack_timeout_err"};
constexpr std::array<std::string_view, 8> error_counters = {
    "resp_local_length_error",    "resp_cqe_error",           "req_cqe_error",
    "req_remote_invalid_request", "req_remote_access_errors", "resp_remote_access_errors",
    "resp_cqe_flush_error",       "req_cqe_flush_error"};
constexpr std::array<std::string_view, 4> congestion_counters = {"rp_cnp_ignored", "rp_cnp_handled",
                                                                 "np_ecn_marked_roce_packets", "np_cnp_sent"};
constexpr std::array companions_of_ports = {Companions{"", own_of_ports},
                                            Companions{"counters", basic_counters},
                                            Companions{"counters", wide_counters},
                                            Companions{"hw_counters", queue_counters, mellanox},
                                            Companions{"hw_counters", retry_counters, mellanox},
                                            Companions{"hw_counters", error_counters, mellanox},
                                            Companions{"hw_counters", congestion_counters, mellanox}};

// The kernel makes the same files for every NVMe drive, and for every PCI function.
constexpr const char* kernel = "the kernel";

// By the vendor, for one driver serves its adapters, be they of Ethernet or InfiniBand.
std::string maker_of(const Sysfs& sysfs, const Hca& hca) {
  if (hca.pci.empty()) return {};
  return sysfs.text(fmt::format("sys/bus/pci/devices/{}/vendor", hca.pci)).value_or("");
}

std::string pci_model(const Sysfs& sysfs, const std::string& address) {
  if (address.empty()) return "of software";
  const auto file = [&](std::string_view name) {
    const auto text = sysfs.text(fmt::format("sys/bus/pci/devices/{}/{}", address, name));
    return text && whole_number(*text) ? *text : std::string(unknown_model);
  };
  return file("vendor") + file("device");
}

bool is_link_layer(std::string_view text) { return text == "InfiniBand" || text == "Ethernet"; }

// An Ethernet adapter is no sibling of an InfiniBand one of its model; what is none of both is damaged, and like most.
std::string model_of(const Sysfs& sysfs, const Hca& hca) {
  const auto layer = hca.ports.empty() ? std::string() : hca.ports.front().link_layer;
  return pci_model(sysfs, hca.pci) + (is_link_layer(layer) ? layer.substr(0, 1) : "I");
}

Kind of_adapters(const Sysfs& sysfs) {
  Kind kind{"adapters", files_of_adapters, {}, companions_of_adapters};
  for (const auto& hca : hcas(sysfs))
    kind.components.push_back({"sys/class/infiniband/" + hca.name, model_of(sysfs, hca), maker_of(sysfs, hca)});
  return kind;
}

Kind of_ports(const Sysfs& sysfs) {
  Kind kind{"ports", files_of_ports, {}, companions_of_ports};
  for (const auto& hca : hcas(sysfs))
    for (const auto& port : hca.ports)
      kind.components.push_back({fmt::format("sys/class/infiniband/{}/ports/{}", hca.name, port.number),
                                 model_of(sysfs, hca), maker_of(sysfs, hca)});
  return kind;
}

Kind of_interfaces(const Sysfs& sysfs) {
  Kind kind{"interfaces", files_of_interfaces, {}, companions_of_interfaces};
  for (const auto& hca : hcas(sysfs))
    for (const auto& name : sysfs.list(fmt::format("sys/class/infiniband/{}/device/net", hca.name)))
      kind.components.push_back({"sys/class/net/" + name, model_of(sysfs, hca), maker_of(sysfs, hca)});
  return kind;
}

Kind of_drives(const Sysfs& sysfs) {
  Kind kind{"drives", files_of_drives, {}};
  for (const auto& drive : nvme_drives(sysfs))
    kind.components.push_back({"sys/class/nvme/" + drive.name, drive.model, kernel});
  return kind;
}

// Volumes on a network that show themselves as NVMe: they are made in any size.
bool is_volume(const NvmeDrive& drive) {
  constexpr std::array<std::string_view, 3> models = {"Amazon Elastic Block Store", "MSFT NVMe Accelerator",
                                                      "nvme_card-pd"};
  return std::ranges::any_of(models, [&](std::string_view model) { return drive.model.starts_with(model); });
}

Kind of_namespaces(const Sysfs& sysfs) {
  Kind kind{"namespaces", files_of_namespaces, {}};
  for (const auto& drive : nvme_drives(sysfs)) {
    if (is_volume(drive)) continue;
    for (const auto& name : namespaces(sysfs, drive))
      if (auto folder = "sys/block/" + name;  // or another controller leads to it, too
          std::ranges::find(kind.components, folder, &Component::folder) == kind.components.end())
        kind.components.push_back({std::move(folder), drive.model, kernel});
  }
  return kind;
}

Kind of_gpus(const Sysfs& sysfs) {
  const std::string folder = "proc/driver/nvidia/gpus/";
  Kind kind{"GPUs", files_of_gpus, {}};
  if (!sysfs.exists(folder)) return kind;
  for (const auto& gpu : nvidia_gpus(sysfs)) kind.components.push_back({folder + gpu.address, id(gpu)});
  return kind;
}

Kind of_functions(const Sysfs& sysfs) {
  Kind kind{"PCI functions", files_of_functions, {}};
  std::set<std::string> wanted;
  for (const auto& gpu : nvidia_gpus(sysfs)) wanted.insert(gpu.address);
  for (const auto& hca : hcas(sysfs)) wanted.insert(hca.pci);
  for (const auto& drive : nvme_drives(sysfs)) wanted.insert(drive.pci);
  wanted.erase("");
  const std::string folder = "sys/bus/pci/devices/";
  for (const auto& address : sysfs.list(folder))
    if (sysfs.exists(folder + address + "/vendor") && !sysfs.exists(folder + address + "/class"))
      wanted.insert(address);  // for it could be any of them
  for (const auto& address : wanted) kind.components.push_back({folder + address, pci_model(sysfs, address), kernel});
  return kind;
}

// One that is offline has no topology.
Kind of_online_cpus(const Sysfs& sysfs) {
  const std::string folder = "sys/devices/system/cpu";
  Kind kind{"CPUs", files_of_cpus, {}};
  const auto all = cpus(sysfs);
  if (!all) return kind;
  for (const int cpu : all->online)
    if (auto place = fmt::format("{}/cpu{}", folder, cpu); sysfs.exists(place))
      kind.components.push_back({std::move(place), ""});
  return kind;
}

// Numbered folders.
Kind of_numbered(const Sysfs& sysfs, std::string_view plural, std::span<const File> files, std::string_view folder,
                 std::string_view prefix) {
  Kind kind{plural, files, {}};
  for (const auto& name : sysfs.list(folder))
    if (name.starts_with(prefix) && whole_number(name.substr(prefix.size())))
      kind.components.push_back({fmt::format("{}/{}", folder, name), ""});
  return kind;
}

}  // namespace

Kind kind_of(const Sysfs& sysfs, Kin kin) {
  switch (kin) {
    case Kin::adapter:
      return of_adapters(sysfs);
    case Kin::port:
      return of_ports(sysfs);
    case Kin::interface:
      return of_interfaces(sysfs);
    case Kin::drive:
      return of_drives(sysfs);
    case Kin::name_space:
      return of_namespaces(sysfs);
    case Kin::gpu:
      return of_gpus(sysfs);
    case Kin::function:
      return of_functions(sysfs);
    case Kin::cpu:
      return of_online_cpus(sysfs);
    case Kin::numa:
      return of_numbered(sysfs, "NUMA nodes", files_of_nodes, "sys/devices/system/node", "node");
    case Kin::memory_controller:
      break;
  }
  return of_numbered(sysfs, "memory controllers", files_of_controllers, "sys/devices/system/edac/mc", "mc");
}

}  // namespace muster::topology
