// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// What the command line says of the hosts of a job.
struct HostRequest {
  std::vector<std::string> hosts;
  std::optional<std::filesystem::path> hostfile;
  std::string task = "worker";  // of a job of Volcano: the one whose pods run the ranks
};

struct HostList {
  std::vector<std::string> names;    // each once, in the order given; none: this machine alone, without ssh
  std::string source;                // "--hosts", "etc/volcano/worker.host", "SLURM_JOB_NODELIST" ...
  std::optional<std::size_t> slots;  // of each host, where a hostfile says so, or all are named so many times

  std::size_t count() const { return names.empty() ? 1 : names.size(); }
};

// The first that is there of: --hosts, --hostfile, Volcano's file and its variable, an Indexed Job (whose number of
// pods JOB_COMPLETIONS tells), Slurm's list, this machine alone. Throws UsageError where it cannot be used.
HostList find_hosts(const HostRequest& request, const topology::Sysfs& sysfs, const char* const* environment);

// "gpu-0001 slots=8  # rack 3", one host on each line, as mpirun takes it. Throws UsageError that begins with the
// option.
HostList read_hostfile(std::string_view option, const std::filesystem::path& file);

// Slurm's short form: "gpu-[0001-0003,7],login" -> gpu-0001, gpu-0002, gpu-0003, gpu-7, login. Throws UsageError.
std::vector<std::string> expanded(std::string_view list);

}  // namespace muster::healthcheck
