// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/launcher.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace muster::benchmarks {
namespace {

std::optional<int> number(const char* const* environment, std::string_view name) {
  const auto text = variable(environment, name);
  if (!text) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text->begin(), text->end(), value);
  return error == std::errc() && end == text->end() ? std::optional(value) : std::nullopt;
}

// A launcher inside another hides it, so the order is from the inside to the outside.
std::optional<Told> first_of(const char* const* environment, std::initializer_list<const char*> variables) {
  for (const char* variable : variables)
    if (const auto value = number(environment, variable)) return Told{variable, *value};
  return std::nullopt;
}

bool has_prefix(const char* const* environment, std::string_view prefix) {
  for (; *environment != nullptr; ++environment)
    if (std::string_view(*environment).starts_with(prefix)) return true;
  return false;
}

// "mpiexec of MPICH": the innermost that started this process; empty where there is none.
std::string launcher_name(const char* const* environment) {
  constexpr std::string_view intel = "mpirun of Intel MPI";
  // Hydra is the launcher of MPICH and of others, and starts in jobs of all that stand below it.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> marks{{
      {"OMPI_COMM_WORLD_RANK", "mpirun of Open MPI"},
      {"I_MPI_HYDRA_UUID", intel},
      {"HYDI_CONTROL_FD", "mpiexec of MPICH"},
      {"PALS_RANKID", "mpiexec of PALS"},
      {"FLUX_TASK_RANK", "flux run"},
      {"MPI_LOCALRANKID", "mpiexec of Hydra"},
      {"MV2_COMM_WORLD_RANK", "mpirun_rsh of MVAPICH"},
      {"JSM_NAMESPACE_RANK", "jsrun"},
      {"ALPS_APP_PE", "aprun"},
      {"SLURM_PROCID", "srun"},
      {"PMI_RANK", "a launcher that speaks PMI"},
      {"PMI_ID", "a launcher that speaks PMI"},
      {"PMIX_RANK", "a launcher that speaks PMIx"},
  }};
  const auto mark =
      std::ranges::find_if(marks, [&](const auto& each) { return variable(environment, each.first).has_value(); });
  if (mark == marks.end()) return {};
  const bool is_hydra = mark->first == "MPI_LOCALRANKID";
  return std::string(is_hydra && has_prefix(environment, "I_MPI_") ? intel : mark->second);
}

}  // namespace

std::optional<std::string_view> variable(const char* const* environment, std::string_view name) {
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry(*environment);
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) return entry.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::optional<Told> told_size(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "PALS_SIZE", "FLUX_JOB_SIZE",
                                "JSM_NAMESPACE_SIZE", "SLURM_STEP_NUM_TASKS"});
}

std::optional<Told> told_rank(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PMI_ID", "MV2_COMM_WORLD_RANK",
                                "PALS_RANKID", "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK", "ALPS_APP_PE", "SLURM_PROCID"});
}

std::optional<Told> told_local_size(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
}

std::optional<Told> told_local_rank(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"});
}

Launcher launcher_of(const char* const* environment) {
  return {.name = launcher_name(environment),
          .size = told_size(environment),
          .rank = told_rank(environment),
          .local_size = told_local_size(environment)};
}

std::string told_of_others(const Launcher& launcher, int size) {
  const std::string name = launcher.name.empty() ? "a launcher" : launcher.name;
  const auto started = [&](int ranks, std::string_view more, const Told& told) {
    return fmt::format("{} started {} ranks{} ({}={})", name, ranks, more, told.variable, told.value);
  };
  if (const auto& told = launcher.size) return told->value > size ? started(told->value, "", *told) : std::string();
  if (const auto& told = launcher.local_size; told && told->value > size)
    return started(told->value, " or more", *told);
  const auto& rank = launcher.rank;
  if (!rank) return {};
  if (rank->value >= size) return started(rank->value + 1, " or more", *rank);
  // A batch script of Slurm has a number, too, and is no rank of a step.
  if (size > 1 || rank->variable == "SLURM_PROCID") return {};
  return fmt::format("{} started this as rank {} and does not say of how many ({}={})", name, rank->value,
                     rank->variable, rank->value);
}

bool is_alone_in_step(const char* const* environment) {
  constexpr std::array<std::string_view, 4> ways = {"PMIX_NAMESPACE", "PMI_FD", "PMI_PORT", "PMI_RANK"};
  return variable(environment, "SLURM_STEP_ID") &&
         std::ranges::none_of(ways, [&](std::string_view way) { return variable(environment, way).has_value(); });
}

bool is_of_launcher(std::string_view variable) {
  constexpr std::array<std::string_view, 2> settings = {"OMPI_MCA_", "PMIX_MCA_"};
  constexpr std::array<std::string_view, 3> no_settings = {"OMPI_MCA_ess", "OMPI_MCA_orte_", "OMPI_MCA_pmix"};
  constexpr std::array<std::string_view, 12> all = {
      "OMPI_",     "PMIX_",     "PMI_",  "MPI_LOCAL",      "HYDI_CONTROL_FD", "SLURM_",
      "FLUX_TASK", "FLUX_JOB_", "PALS_", "JSM_NAMESPACE_", "ALPS_APP_",       "MV2_COMM_WORLD_"};
  const auto is_in = [&](const auto& prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return variable.starts_with(prefix); });
  };
  return is_in(all) && (!is_in(settings) || is_in(no_settings));
}

std::string why_files_are_too_small() {
  constexpr rlim_t least = rlim_t{4} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= least) return "";
  return fmt::format("no file may grow above {} bytes here, and MPI needs files of {}; raise ulimit -f", limit.rlim_cur,
                     least);
}

}  // namespace muster::benchmarks
