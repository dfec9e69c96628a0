// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

// What the launcher of a job tells its processes by environment variables, whatever the library sees.
namespace muster::benchmarks {

struct Told {
  std::string variable;
  int value = 0;
};

// How many processes the job has, by OMPI_COMM_WORLD_SIZE, PMI_SIZE or SLURM_STEP_NUM_TASKS.
std::optional<Told> told_size(const char* const* environment);

// Which of them this is, by OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK or SLURM_PROCID.
std::optional<Told> told_rank(const char* const* environment);

// How many of them are on this host, by OMPI_COMM_WORLD_LOCAL_SIZE or MPI_LOCALNRANKS.
std::optional<Told> told_local_size(const char* const* environment);

}  // namespace muster::benchmarks
