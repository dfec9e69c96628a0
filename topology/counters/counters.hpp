// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// An error counter of the kernel that only grows.
struct Counter {
  using Labels = std::map<std::string, std::string, std::less<>>;

  std::string metric;  // "pcie_aer.correctable"
  Labels labels;       // pci, memory_controller, cpu, package, nic, port, interface, device
  double value = 0;

  bool operator==(const Counter&) const = default;
};

// What older kernels write instead of a count where a driver has none (drivers/infiniband/core/sysfs.c).
inline constexpr std::string_view no_counter = "N/A (no PMA)";

// Adds one where it has a value.
void add_counter(std::vector<Counter>& counters, std::string metric, Counter::Labels labels,
                 std::optional<double> value);

// "12" of "cpu12" after "cpu"; nothing of "cpufreq".
std::optional<std::string> number_after(std::string_view prefix, const std::string& name);

}  // namespace muster::topology
