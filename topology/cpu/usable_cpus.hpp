// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// What this process may use of the machine's CPUs.
struct UsableCpus {
  std::vector<int> allowed;     // by its affinity, its control groups and what is online
  std::optional<double> quota;  // of its control groups, in cores; none where they have none

  // How many threads can run all the time: whole cores, one at least.
  std::size_t cores() const;
};

// Throws Error naming a damaged file.
UsableCpus usable_cpus(const Sysfs& sysfs);

// The kind of each CPU of a machine that has several ("cpu_core", "cpu_atom"; on ARM the capacity that the kernel
// gives it); empty on others. Source: Linux, sys/devices/cpu_*/cpus of hybrid processors, cpu*/cpu_capacity.
std::map<int, std::string> cpu_kinds(const Sysfs& sysfs);

}  // namespace muster::topology
