// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "healthcheck/start/host_names.hpp"

namespace muster::healthcheck {

// The nodes of a job of Slurm, each with its number of tasks as slots, by SLURM_TASKS_PER_NODE: "2(x3),1". They keep
// none where the job asked for no tasks, for Slurm then counts CPUs there; nor inside a step, where the variable is of
// the step. Throws UsageError that begins with the variable, where it is malformed, is of another number of nodes, or
// gives the nodes different numbers.
std::vector<NamedHost> with_slurm_tasks(std::vector<NamedHost> nodes, const char* const* environment);

// "SLURM_JOB_ID=7": variables by which mpirun, which is started outside of all jobs, and the srun that it calls know
// the job of Slurm that this process is in; also from inside a step of it. Nothing where there is no such job.
std::vector<std::string> variables_of_slurm(std::size_t nodes, std::size_t ranks_on_each,
                                            const char* const* environment);

}  // namespace muster::healthcheck
