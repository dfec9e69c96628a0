// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct Cpus {
  std::vector<int> present;
  std::vector<int> online;
  bool smt_off = false;  // hyper-threading switched off on purpose: half of the CPUs are offline

  std::vector<int> offline() const;
  // CPUs that should be online and are not.
  std::size_t missing() const;
};

// Nothing when the kernel does not tell which CPUs are online; `present` is `online` where only that is told.
std::optional<Cpus> cpus(const Sysfs& sysfs);

// "Intel(R) Xeon(R) Platinum 8480C" from the text of /proc/cpuinfo.
std::optional<std::string> cpu_model(std::string_view cpuinfo);

}  // namespace muster::topology
