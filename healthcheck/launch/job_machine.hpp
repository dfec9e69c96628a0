// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "healthcheck/start/hosts.hpp"
#include "topology/kernel/sysfs.hpp"
#include "topology/machine/machine.hpp"

namespace muster::healthcheck {

// What each host of a job is, by a topology file; what the file leaves out is as here. None without a file, or without
// a GPU in it: nothing else says where ranks belong. Throws topology::Error naming a file that is not of one machine.
std::optional<topology::Machine> job_machine(const std::optional<std::filesystem::path>& file, const HostList& hosts,
                                             const topology::Sysfs& sysfs);

// 0 where nothing is known of the hosts.
std::size_t gpu_count(const std::optional<topology::Machine>& machine);

}  // namespace muster::healthcheck
