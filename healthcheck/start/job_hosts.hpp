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
  std::string source;     // "etc/volcano/worker.host", "SLURM_JOB_NODELIST", "PBS_NODEFILE /var/spool/pbs/aux/7"
  bool of_slurm = false;  // nodes of the allocation that this process is in
};

// The hosts of the job that this process is of, by the first launcher that tells them: Volcano (the file of the task,
// its variable), an Indexed Job of Kubernetes (with JOB_COMPLETIONS), Slurm, PBS, Cobalt, OAR, LSF, Grid Engine, Flux;
// then the default hostfile of an MPI, which Kubeflow's MPIJob sets. Nothing where there is no launcher. Throws
// UsageError, which names the launcher, where its list cannot be read: one machine alone would pass in silence. Slots
// of Slurm (slurm_job.hpp) are read only where they are wanted.
std::optional<JobHosts> hosts_of_job(const std::string& task, bool wants_slots, const topology::Sysfs& sysfs,
                                     const char* const* environment);

}  // namespace muster::healthcheck
