// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "healthcheck/launch/launch.hpp"
#include "healthcheck/start/hosts.hpp"
#include "topology/kernel/sysfs.hpp"
#include "topology/machine/machine.hpp"
#include "topology/machine/machine_summary.hpp"

namespace muster::healthcheck {

// What each host of a job is, by a topology file; what the file leaves out is as here. None without a file, and where
// nothing says where ranks belong, which is told on stderr. Throws topology::Error naming a file that is not of one
// machine.
std::optional<topology::Machine> job_machine(const std::optional<std::filesystem::path>& file, const HostList& hosts,
                                             const topology::Sysfs& sysfs);

// Throws topology::Error where so many ranks have no place on it.
void expect_seats(const std::optional<topology::Machine>& machine, std::size_t ranks);

// 0 where nothing is known of the hosts.
std::size_t gpu_count(const std::optional<topology::Machine>& machine);

// Throws UsageError for a job of one rank, which moves no data.
std::size_t ranks_on_each(const LaunchOptions& options, const HostList& hosts, const Description& check,
                          const std::optional<topology::Machine>& machine,
                          const topology::MachineSummary& this_machine);

}  // namespace muster::healthcheck
