// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/machine/machine.hpp"
#include "topology/machine/placement.hpp"

namespace muster::topology {

// For programs: `muster topology show --format json`. Unknown values are left out; `names` are those of devices by
// address.
std::string to_json(const Machine& machine, const DeviceNames& names);

// `muster topology place --format json`.
std::string to_json(const std::vector<RankPlacement>& seats);

}  // namespace muster::topology
