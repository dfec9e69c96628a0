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

// How many processes the job has, by what Open MPI, PMI, MVAPICH, PALS, Flux, jsrun or Slurm say.
std::optional<Told> told_size(const char* const* environment);

// Which of them this is, by what Open MPI, PMIx, PMI, MVAPICH, PALS, Flux, jsrun, aprun or Slurm say.
std::optional<Told> told_rank(const char* const* environment);

// How many of them are on this host, by OMPI_COMM_WORLD_LOCAL_SIZE or MPI_LOCALNRANKS.
std::optional<Told> told_local_size(const char* const* environment);

// Which of those on this host this is, by OMPI_COMM_WORLD_LOCAL_RANK or MPI_LOCALRANKID.
std::optional<Told> told_local_rank(const char* const* environment);

struct Launcher {
  std::string name = {};  // "mpiexec of MPICH", "srun": the innermost that started this process; empty without one
  std::optional<Told> size = {};
  std::optional<Told> rank = {};
  std::optional<Told> local_size = {};
};

// All of this, as the launcher has told it: MPI_Init of Open MPI sets PMIX_RANK where there was none.
Launcher launcher_of(const char* const* environment);

// "mpiexec of MPICH started 2 ranks (PMI_SIZE=2)": what the launcher tells of ranks that MPI, which sees a job of
// `size`, does not know of; empty where it tells of none. A launcher that gives a rank but no size may have started
// others. One that tells of fewer stands outside of that of the job.
std::string told_of_others(const Launcher& launcher, int size);

// Whether srun started this process without PMIx or PMI, so that MPI cannot know of others. MPI_Init of Open MPI 4 then
// ends the process with 1, unless SLURM_STEP_ID is unset: it is a job of one rank without it.
bool is_alone_in_step(const char* const* environment);

// Whether a variable is one of those by which a launcher tells a process whose rank it is. Settings of users
// (OMPI_MCA_btl, PMIX_MCA_gds ...) are none.
bool is_of_launcher(std::string_view variable);

// Why Open MPI cannot work here, which says so in words of its own or waits without end: its PMIx makes its first file
// of 4 MiB at once. Empty where files may grow so large.
std::string why_files_are_too_small();

}  // namespace muster::benchmarks
