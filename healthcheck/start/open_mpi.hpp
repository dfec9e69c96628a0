// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// The first mpirun in PATH. Throws std::system_error where there is none.
std::string find_mpirun();

// "5.0.11" of what `mpirun --version` says: "mpirun (Open MPI) 5.0.11"; nothing where another MPI says it.
std::optional<std::string> open_mpi_version(std::string_view said);

// The first of the hosts that an mpirun of this version takes for none, and what to do; empty where there is none.
std::string why_no_host(std::span<const std::string> hosts, std::string_view version);

// Throws UsageError with that, by the mpirun in PATH, which is asked only where its version matters; std::system_error
// where there is none.
void expect_hosts_for_mpirun(std::span<const std::string> hosts);

// Whether somebody has told Open MPI which interfaces to use for TCP, by a variable or in a file of settings on this
// machine. A choice of ours beside an exclusion is an error for it.
bool open_mpi_chooses_interfaces(const topology::Sysfs& sysfs, const char* const* environment);

// The same for the control traffic of mpirun and its daemons.
bool mpirun_chooses_interfaces(const topology::Sysfs& sysfs, const char* const* environment);

}  // namespace muster::healthcheck
