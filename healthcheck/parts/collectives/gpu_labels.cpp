// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/gpu_labels.hpp"

#include <optional>
#include <utility>

#include "healthcheck/check/topology_file.hpp"
#include "topology/kernel/error.hpp"
#include "topology/machine/placement.hpp"

namespace muster::healthcheck {

results::Labels gpu_labels(const topology::Sysfs& sysfs, const std::string& pci_address) {
  results::Labels labels{{"pci", pci_address}};
  try {
    const auto found = find_machine(sysfs.quiet());
    for (const auto& seat : topology::placement(found.machine, std::nullopt)) {
      if (seat.pci != pci_address) continue;
      labels.emplace("gpu", std::to_string(seat.gpu));
      if (auto nic = topology::name_of(found.names, seat.nic); !nic.empty()) labels.emplace("nic", std::move(nic));
    }
  } catch (const topology::Error&) {
    // The check of the topology says what is wrong with it.
  }
  return labels;
}

}  // namespace muster::healthcheck
