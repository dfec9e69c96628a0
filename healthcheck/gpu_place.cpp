// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/gpu_place.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "healthcheck/topology_file.hpp"
#include "topology/error.hpp"
#include "topology/placement.hpp"

namespace muster::healthcheck {

results::Labels gpu_place(const topology::Sysfs& sysfs, const std::string& pci_address) {
  results::Labels labels{{"pci", pci_address}};
  try {
    const auto machine = find_machine(sysfs);
    const auto seats = topology::placement(machine.machine, std::nullopt);
    const auto seat = std::ranges::find(seats, pci_address, &topology::Seat::pci);
    if (seat == seats.end()) return labels;
    labels.emplace("gpu", std::to_string(seat->gpu));
    if (auto nic = topology::name_of(machine.names, seat->nic); !nic.empty()) labels.emplace("nic", std::move(nic));
  } catch (const topology::Error&) {
    return labels;  // the check of the topology says what is wrong with it
  }
  return labels;
}

}  // namespace muster::healthcheck
