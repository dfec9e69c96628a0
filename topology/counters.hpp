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
  std::map<std::string, std::string, std::less<>> labels;  // pci, memory_controller, cpu, package
  double value = 0;
};

// Each gives nothing where the machine does not have the source, and throws Error naming a file that holds no count.
// pcie_aer.correctable, .nonfatal, .fatal for each PCI device: the TOTAL_ERR line of aer_dev_*.
std::vector<Counter> pcie_aer(const Sysfs& sysfs);
// edac.correctable, edac.uncorrectable for each memory controller.
std::vector<Counter> edac(const Sysfs& sysfs);
// cpu.thermal_throttle for each CPU package and core that reports one.
std::vector<Counter> thermal_throttle(const Sysfs& sysfs);

// The number in the TOTAL_ERR line of an aer_dev_* file. Throws Error quoting the text when there is none.
std::int64_t aer_total(std::string_view text);

}  // namespace muster::topology
