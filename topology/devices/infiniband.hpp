// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct HcaPort {
  int number = 0;
  std::string link_layer;      // "InfiniBand" or "Ethernet"
  std::string state;           // "ACTIVE"
  std::string physical_state;  // "LinkUp"
};

struct Hca {
  std::string name;  // "mlx5_ib0"
  std::string pci;   // address of its device, empty when it has none (Soft-RoCE)
  std::optional<std::string> firmware;
  std::string board_id;   // "MSF0000000012"
  std::string node_guid;  // "0015:5dff:fe33:ff00"
  std::vector<HcaPort> ports;
};

// RDMA devices by name, whatever their link layer; without those that manage NVSwitches.
std::vector<Hca> hcas(const Sysfs& sysfs);

// RDMA devices that are the way to manage an NVSwitch, as the vital product data of HGX B200's say (SMDL=SW_MNG): no
// data of jobs takes them.
std::vector<Hca> switch_managers(const Sysfs& sysfs);

// Those with at least one port whose link layer is InfiniBand.
std::vector<Hca> infiniband_hcas(const Sysfs& sysfs);

// The PCI addresses of InfiniBand adapters without an RDMA device, whose driver does not serve them; not of those that
// virtual machines are given. Throws Error naming a damaged file.
std::vector<std::string> unserved_adapters(const Sysfs& sysfs);

// The path of one of a port's files: "sys/class/infiniband/mlx5_ib0/ports/1/state".
std::string port_path(const Hca& hca, const HcaPort& port, std::string_view file);

// "400 Gb/sec (4X NDR)" -> 4e11. Throws Error quoting the text when it is not a rate.
double port_rate(std::string_view text);

// Bits per second; nothing when absent.
std::optional<double> port_rate(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

// Lanes: "400 Gb/sec (4X NDR)" -> 4. Throws Error quoting the text when it names none.
std::int64_t port_width(std::string_view text);

// Nothing when absent.
std::optional<std::int64_t> port_width(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

// A port's P_Keys in the order of its table, without empty entries. Throws Error naming a file that holds none.
std::vector<std::uint16_t> partition_keys(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

// Whether a P_Key makes its port a full member of the partition (bit 15), not a limited one.
bool is_full_member(std::uint16_t partition_key);

// A port's GIDs that are not zero, in the order of its table.
std::vector<std::string> gids(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

// The network interfaces of a port: IP over InfiniBand, Ethernet, or what a Soft-RoCE device lies upon.
std::vector<std::string> interfaces(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

}  // namespace muster::topology
