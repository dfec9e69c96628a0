// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "topology/sysfs.hpp"

namespace muster::topology {

// An error counter of the kernel that only grows.
struct Counter {
  std::string metric;                                      // "pcie_aer.correctable"
  std::map<std::string, std::string, std::less<>> labels;  // pci, memory_controller, cpu, package, nic, port, interface
  double value = 0;

  bool operator==(const Counter&) const = default;
};

// Each gives nothing where the machine does not have the source, and throws Error naming a file that holds no count.
// pcie_aer.correctable, .nonfatal, .fatal for each PCI device: the TOTAL_ERR line of aer_dev_*.
std::vector<Counter> pcie_aer(const Sysfs& sysfs);
// edac.correctable, edac.uncorrectable for each memory controller.
std::vector<Counter> edac(const Sysfs& sysfs);
// cpu.thermal_throttle for each CPU package and core that reports one.
std::vector<Counter> thermal_throttle(const Sysfs& sysfs);
// infiniband.link_downed, .symbol_error ... for each port of each RDMA device, under the names of the kernel's files,
// and infiniband.carrier_changes of its network interfaces.
std::vector<Counter> infiniband(const Sysfs& sysfs);

// Whether a counter stands at the most that it can count: those of InfiniBand ports stay there (IBTA, PortCounters).
bool saturated(std::string_view metric, double value);

// The number in the TOTAL_ERR line of an aer_dev_* file. Throws Error quoting the text when there is none.
std::int64_t aer_total(std::string_view text);

}  // namespace muster::topology
