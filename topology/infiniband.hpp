// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/sysfs.hpp"

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
  std::vector<HcaPort> ports;
};

// RDMA devices by name, whatever their link layer.
std::vector<Hca> hcas(const Sysfs& sysfs);

// Those with at least one port whose link layer is InfiniBand.
std::vector<Hca> infiniband_hcas(const Sysfs& sysfs);

// "400 Gb/sec (4X NDR)" -> 4e11. Throws Error quoting the text when it is not a rate.
double port_rate(std::string_view text);

// Bits per second; nothing when absent.
std::optional<double> port_rate(const Sysfs& sysfs, const Hca& hca, const HcaPort& port);

}  // namespace muster::topology
