// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// Seconds since boot; nothing where the kernel does not tell, or the file is damaged.
std::optional<double> uptime_seconds(const Sysfs& sysfs);

}  // namespace muster::topology
