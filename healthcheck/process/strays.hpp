// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

#include "topology/kernel/processes.hpp"

namespace muster::healthcheck {

// The living descendants of `self` that are neither spared nor descend from one that is.
std::vector<pid_t> strays(const std::vector<topology::Process>& all, pid_t self, const std::vector<pid_t>& spared);

// Kills the strays of this process, which must be a subreaper, until there are none or the patience ends.
void kill_strays(const std::vector<pid_t>& spared);

}  // namespace muster::healthcheck
