// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/job_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>

#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_ranges.hpp"
#include "healthcheck/start/hostfile.hpp"
#include "healthcheck/start/slurm_job.hpp"
#include "results/system/error.hpp"
#include "results/system/file.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::variable;

using Environment = const char* const*;
using Found = std::optional<JobHosts>;

// The value of a variable that says something: many scripts unset one by an empty value.
std::optional<std::string_view> told_value(Environment environment, std::string_view name) {
  const auto value = variable(environment, name);
  return value && !value->empty() ? value : std::nullopt;
}

// The text of a file that a variable names.
std::string text_of(std::string_view name, std::string_view file) {
  try {
    return results::read_text(std::string(file));
  } catch (const results::Error& error) {
    throw UsageError(
        fmt::format("{} names a list of hosts that cannot be read: {}; give --hostfile", name, error.what()));
  }
}

std::string source_of_file(std::string_view name, std::string_view file) { return fmt::format("{} {}", name, file); }

[[noreturn]] void refuse_job(std::string_view job, std::string_view lacks, std::string_view remedy) {
  throw UsageError(fmt::format("this is a {}, but {}; give {}", job, lacks, remedy));
}

// The full name that the kernel's own table gives this machine, which a pod's has where its Job has a service.
std::string full_name(const topology::Sysfs& sysfs, const std::string& name) {
  std::istringstream lines(sysfs.text("etc/hosts").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string address;
    std::string first;
    words >> address >> first;
    if (first.starts_with(name + ".")) return first;
  }
  return name;
}

// Pods of a Job are called NAME-0.SERVICE, NAME-1.SERVICE ...
Found of_indexed_job(const topology::Sysfs& sysfs, Environment environment) {
  const auto index = variable(environment, "JOB_COMPLETION_INDEX");
  if (!index) return std::nullopt;
  const auto own = sysfs.text("proc/sys/kernel/hostname").value_or("");
  const auto suffix = fmt::format("-{}", *index);
  const auto count = slots_from(variable(environment, "JOB_COMPLETIONS").value_or("")).value_or(0);
  if (count == 0 || count > max_hosts || !own.ends_with(suffix))
    throw UsageError(
        "JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS does not say how many pods the Job has, or this pod is not "
        "named by its index; name the hosts with --hosts");
  const auto domain = full_name(sysfs, own).substr(own.size());
  JobHosts found{.hosts = {}, .source = "JOB_COMPLETIONS"};
  for (std::size_t pod = 0; pod < count; ++pod)
    found.hosts.push_back(
        named_host(fmt::format("{}-{}{}", own.substr(0, own.size() - suffix.size()), pod, domain), found.source));
  return found;
}

Found of_volcano(std::string task, const topology::Sysfs& sysfs, Environment environment) {
  std::ranges::replace(task, '-', '_');
  const auto file = fmt::format("etc/volcano/{}.host", task);
  if (const auto text = sysfs.text(file)) return JobHosts{hosts_of_lines(*text, file), file};
  std::ranges::transform(task, task.begin(), [](unsigned char letter) { return std::toupper(letter); });
  const auto name = fmt::format("VC_{}_HOSTS", task);
  if (const auto text = variable(environment, name)) return JobHosts{hosts_of_list(*text, name), name};
  return std::nullopt;
}

Found of_slurm(bool wants_slots, Environment environment) {
  for (const std::string_view name : {"SLURM_JOB_NODELIST", "SLURM_NODELIST"}) {
    const auto text = variable(environment, name);
    if (!text) continue;
    auto nodes = hosts_of_list(*text, name);
    if (wants_slots) nodes = with_slurm_tasks(std::move(nodes), environment);
    return JobHosts{.hosts = std::move(nodes), .source = std::string(name), .of_slurm = true};
  }
  if (told_value(environment, "SLURM_JOB_ID"))
    refuse_job("job of Slurm", "SLURM_JOB_NODELIST is not set", "--hosts \"$(squeue -h -j $SLURM_JOB_ID -o %N)\"");
  return std::nullopt;
}

// Batch systems whose list is a file with a name for each slot.
struct BatchSystem {
  std::string_view name, job, file;
};

Found of_batch_system(Environment environment) {
  constexpr std::array<BatchSystem, 3> systems{{{"PBS", "PBS_JOBID", "PBS_NODEFILE"},
                                                {"Cobalt", "COBALT_JOBID", "COBALT_NODEFILE"},
                                                {"OAR", "OAR_JOB_ID", "OAR_NODEFILE"}}};
  for (const auto& system : systems) {
    if (const auto file = told_value(environment, system.file)) {
      const auto source = source_of_file(system.file, *file);
      return JobHosts{hosts_of_lines(text_of(system.file, *file), source), source};
    }
    if (told_value(environment, system.job))
      refuse_job(fmt::format("job of {}", system.name), fmt::format("{} is not set", system.file),
                 "--hostfile with a name on each line");
  }
  return std::nullopt;
}

// "gpu-1 8 gpu-2 8"
std::vector<NamedHost> hosts_with_slots(std::string_view text, std::string_view name) {
  std::vector<NamedHost> hosts;
  const auto words = topology::words(text);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    hosts.push_back(named_host(words[i], name));
    hosts.back().slots = i + 1 < words.size() ? slots_from(words[i + 1]) : std::nullopt;
    if (!hosts.back().slots)
      throw UsageError(
          fmt::format("{}: '{}' is not NAME SLOTS NAME SLOTS, as LSF writes it; give --hosts", name, text));
  }
  return hosts;
}

Found of_lsf(Environment environment) {
  constexpr std::string_view of_file = "LSB_DJOB_HOSTFILE", of_names = "LSB_HOSTS", of_slots = "LSB_MCPU_HOSTS";
  if (const auto file = told_value(environment, of_file)) {
    const auto source = source_of_file(of_file, *file);
    return JobHosts{hosts_of_lines(text_of(of_file, *file), source), source};
  }
  if (const auto text = told_value(environment, of_names))
    return JobHosts{hosts_of_list(*text, of_names), std::string(of_names)};
  if (const auto text = told_value(environment, of_slots))
    return JobHosts{hosts_with_slots(*text, of_slots), std::string(of_slots)};
  if (told_value(environment, "LSB_JOBID"))
    refuse_job("job of LSF", "neither LSB_DJOB_HOSTFILE, LSB_HOSTS nor LSB_MCPU_HOSTS is set", "--hosts");
  return std::nullopt;
}

// A job without a parallel environment has no such file, and one slot on one host.
Found of_grid_engine(Environment environment) {
  constexpr std::string_view name = "PE_HOSTFILE";
  const auto file = told_value(environment, name);
  if (!file) return std::nullopt;
  const auto source = source_of_file(name, *file);
  return JobHosts{hosts_of_grid_engine(text_of(name, *file), source), source};
}

// flux-environment(7): the list of hosts is in no variable. What it says is in Slurm's form.
void refuse_flux(Environment environment) {
  const auto refuse = [](std::string_view command) {
    refuse_job("job of Flux", "Flux tells its hosts to its own commands alone",
               fmt::format("--hosts \"$({})\"", command));
  };
  if (told_value(environment, "FLUX_JOB_ID")) refuse("flux jobs -n -o {nodelist} $FLUX_JOB_ID");
  if (told_value(environment, "FLUX_URI")) refuse("flux getattr hostlist");
}

// What mpirun of Open MPI 4 and 5 and mpiexec of MPICH and Intel MPI read without an option; all that an MPIJob sets.
Found of_default_hostfile(Environment environment) {
  for (const std::string_view name : {"OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile",
                                      "HYDRA_HOST_FILE", "I_MPI_HYDRA_HOST_FILE"}) {
    const auto file = told_value(environment, name);
    if (!file || *file == "none") continue;  // Open MPI's word for no file
    const auto source = source_of_file(name, *file);
    return JobHosts{hosts_of_lines(text_of(name, *file), source), source};
  }
  if (told_value(environment, "K_MPI_JOB_ROLE"))
    refuse_job("pod of an MPIJob", "no variable names its hostfile", "--hostfile with a name on each line");
  return std::nullopt;
}

}  // namespace

std::optional<JobHosts> hosts_of_job(const std::string& task, bool wants_slots, const topology::Sysfs& sysfs,
                                     const char* const* environment) {
  if (auto found = of_volcano(task, sysfs, environment)) return found;
  if (auto found = of_indexed_job(sysfs, environment)) return found;
  if (auto found = of_slurm(wants_slots, environment)) return found;
  if (auto found = of_batch_system(environment)) return found;
  if (auto found = of_lsf(environment)) return found;
  if (auto found = of_grid_engine(environment)) return found;
  refuse_flux(environment);
  return of_default_hostfile(environment);
}

}  // namespace muster::healthcheck
