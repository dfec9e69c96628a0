// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/ranks/launcher.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <string_view>

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

}  // namespace

std::optional<std::string_view> variable(const char* const* environment, std::string_view name) {
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry(*environment);
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('=')) return entry.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::optional<Told> told_size(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
}

std::optional<Told> told_rank(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"});
}

std::optional<Told> told_local_size(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
}

std::optional<Told> told_local_rank(const char* const* environment) {
  return first_of(environment, {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"});
}

bool is_of_launcher(std::string_view variable) {
  constexpr std::array<std::string_view, 2> settings = {"OMPI_MCA_", "PMIX_MCA_"};
  constexpr std::array<std::string_view, 3> no_settings = {"OMPI_MCA_ess", "OMPI_MCA_orte_", "OMPI_MCA_pmix"};
  constexpr std::array<std::string_view, 5> all = {"OMPI_", "PMIX_", "PMI_", "MPI_LOCAL", "SLURM_"};
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
