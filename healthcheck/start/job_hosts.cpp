// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/job_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_ranges.hpp"
#include "healthcheck/start/hostfile.hpp"

namespace muster::healthcheck {
namespace {

using benchmarks::variable;

using Environment = const char* const*;
using Found = std::optional<JobHosts>;

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

Found of_slurm(Environment environment) {
  for (const std::string_view name : {"SLURM_JOB_NODELIST", "SLURM_NODELIST"})
    if (const auto text = variable(environment, name)) return JobHosts{hosts_of_list(*text, name), std::string(name)};
  return std::nullopt;
}

}  // namespace

std::optional<JobHosts> hosts_of_job(const std::string& task, const topology::Sysfs& sysfs,
                                     const char* const* environment) {
  if (auto found = of_volcano(task, sysfs, environment)) return found;
  if (auto found = of_indexed_job(sysfs, environment)) return found;
  return of_slurm(environment);
}

}  // namespace muster::healthcheck
