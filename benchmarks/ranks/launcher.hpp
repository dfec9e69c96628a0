// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

// What the launcher of a job tells its processes by environment variables, whatever the library sees.
namespace muster::benchmarks {

// The value of a variable of the environment (environ); nothing where it is not set.
std::optional<std::string_view> variable(const char* const* environment, std::string_view name);

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

// Which of those on this host this is, by OMPI_COMM_WORLD_LOCAL_RANK or MPI_LOCALRANKID.
std::optional<Told> told_local_rank(const char* const* environment);

// Whether a variable is one of those by which Open MPI, PMI and Slurm tell a process whose rank it is. Settings of
// users (OMPI_MCA_btl, PMIX_MCA_gds ...) are none.
bool is_of_launcher(std::string_view variable);

// Why Open MPI cannot work here, which says so in words of its own or waits without end: its PMIx makes its first file
// of 4 MiB at once. Empty where files may grow so large.
std::string why_files_are_too_small();

}  // namespace muster::benchmarks
