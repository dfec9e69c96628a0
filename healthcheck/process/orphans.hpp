// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

#include "topology/kernel/processes.hpp"

namespace muster::healthcheck {

// The living descendants of `self` that are neither spared nor descend from one that is.
std::vector<pid_t> orphans(const std::vector<topology::Process>& all, pid_t self, const std::vector<pid_t>& spared);

// Kills the orphans of this process, which must be a subreaper, until there are none or the timeout ends.
void kill_orphans(const std::vector<pid_t>& spared);

}  // namespace muster::healthcheck
