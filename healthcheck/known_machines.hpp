// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "topology/discover.hpp"

namespace muster::healthcheck {

// This machine; where its kernel hides the switches, with those of the topology file in `folder` (the ones that muster
// ships) that has the same devices, and that file's name.
topology::Discovery discover(const topology::Sysfs& sysfs, const std::filesystem::path& folder);

}  // namespace muster::healthcheck
