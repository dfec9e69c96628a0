// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "healthcheck/start/host_names.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

struct JobHosts {
  std::vector<NamedHost> hosts;
  std::string source;  // "etc/volcano/worker.host", "SLURM_JOB_NODELIST"
};

// The hosts of the job that this process is of, by the first launcher that tells them: Volcano (the file of the task,
// its variable), an Indexed Job of Kubernetes (with JOB_COMPLETIONS), Slurm. Nothing where there is no launcher. Throws
// UsageError where its list cannot be used.
std::optional<JobHosts> hosts_of_job(const std::string& task, const topology::Sysfs& sysfs,
                                     const char* const* environment);

}  // namespace muster::healthcheck
