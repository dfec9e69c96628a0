// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/start/host_names.hpp"

namespace muster::healthcheck {

// A line for each host, as mpirun of Open MPI ("gpu-1 slots=8 max_slots=8", "ann@gpu-1 slots = 8", "gpu-1 cpu=8") and
// mpiexec of MPICH and Intel MPI take it ("gpu-1:8"); or for each rank, as batch systems write it (the name alone).
// Names may be ranges (host_ranges.hpp). Throws UsageError that begins with the source and the line.
std::vector<NamedHost> hosts_of_lines(std::string_view text, std::string_view source);

// The same of a file that an option names; the source is "OPTION FILE".
std::vector<NamedHost> read_hostfile(std::string_view option, const std::filesystem::path& file);

// A line for each host and queue, as Grid Engine writes PE_HOSTFILE: "gpu-1 8 gpu.q@gpu-1 UNDEFINED". Throws UsageError
// that begins with the source and the line.
std::vector<NamedHost> hosts_of_grid_engine(std::string_view text, std::string_view source);

}  // namespace muster::healthcheck
