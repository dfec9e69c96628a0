// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// What the command line says of the hosts of a job.
struct HostRequest {
  std::vector<std::string> hosts;  // what stands between the commas of --hosts
  std::optional<std::filesystem::path> hostfile;
  std::string task = "worker";  // of a job of Volcano: the one whose pods run the ranks
  bool wants_slots = true;      // false: who asks knows the number of ranks, and slots are not looked at
};

struct HostList {
  std::vector<std::string> names;    // each once, in the order given; none: this machine alone, without ssh
  std::string source;                // "--hosts", "etc/volcano/worker.host", "SLURM_JOB_NODELIST" ...
  std::optional<std::size_t> slots;  // of each host, where the list says so, or names each so many times
  std::map<std::string, std::string> users = {};  // of ssh, by name; of the others, who calls it
  bool of_slurm = false;                          // nodes of the allocation that this process is in

  std::size_t count() const { return names.empty() ? 1 : names.size(); }
};

// The first that is there of: --hosts (host_names.hpp), --hostfile (hostfile.hpp), what a launcher tells
// (job_hosts.hpp), this machine alone. Throws UsageError where it cannot be used, and where hosts have different
// numbers of slots that are wanted.
HostList find_hosts(const HostRequest& request, const topology::Sysfs& sysfs, const char* const* environment);

}  // namespace muster::healthcheck
