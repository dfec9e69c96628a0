// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/mpirun_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <system_error>

#include "benchmarks/ranks/launcher.hpp"
#include "healthcheck/program/find_program.hpp"
#include "healthcheck/start/open_mpi.hpp"
#include "results/system/file.hpp"
#include "results/values/report.hpp"
#include "topology/kernel/error.hpp"
#include "topology/machine/placement.hpp"

namespace muster::healthcheck {
namespace {

using Words = std::vector<std::string>;

// The hosts of a job with a key of its own make theirs at each start, and prove with that key that they are its hosts.
std::string ssh(const MpirunJob& job) {
  auto words = fmt::format("{} -o BatchMode=yes -o ConnectTimeout=10 -p {}",
                           find_program("ssh", "install openssh-client"), job.port);
  if (job.key)
    words += fmt::format(
        " -F none -i {} -o IdentitiesOnly=yes -o StrictHostKeyChecking=yes -o UserKnownHostsFile={} -o "
        "GlobalKnownHostsFile=/dev/null -o LogLevel=ERROR",
        job.key->string(), job.known_hosts.string());
  return words;
}

// "ann@gpu-1"
std::string with_user(const HostList& hosts, const std::string& host) {
  const auto user = hosts.users.find(host);
  return user == hosts.users.end() ? host : user->second + "@" + host;
}

// What mpirun starts the daemon of a host by. Its words on a daemon that does not start name no host, or another one;
// these name the host. mpirun takes the command apart at blanks.
std::string agent(const MpirunJob& job, const std::filesystem::path& folder) {
  const auto file = (folder / "ssh").string();
  if (file.find_first_of(" \t") != std::string::npos) return ssh(job);
  const std::string name_failed =
      fmt::format("[ $code = 0 ] || echo \"{}$1 ended with $code\" >&2", start_of_failed_ssh);
  results::write_private(file, fmt::format("{} -x \"$@\"\ncode=$?\n{}\nexit $code\n", ssh(job), name_failed));
  return "sh " + file;
}

// Options that bind the ranks, or a rankfile where only that can. Where ranks may be more than slots, Open MPI 5 leaves
// those of a rankfile unbound unless it is told to what.
Words bound(const MpirunJob& job, const topology::Machine& machine, const std::filesystem::path& folder) {
  const auto seats = topology::placement(machine, job.ranks_on_each);
  try {
    std::istringstream words(topology::mpirun_binding(seats, machine));
    Words options;
    for (std::string word; words >> word;) options.push_back(word);
    return options;
  } catch (const topology::Error&) {
    const auto file = folder / "rankfile";
    const auto hosts = job.hosts.names.empty() ? Words{"localhost"} : job.hosts.names;
    results::write_private(file, topology::rankfile(seats, hosts));
    return {"--rankfile", file.string(), "--bind-to", "core"};
  }
}

Words placement_options(const MpirunJob& job, const std::filesystem::path& folder) {
  if (job.machine) return bound(job, *job.machine, folder);
  Words options{"--bind-to", "none"};
  if (!job.hosts.names.empty())
    options.insert(options.end(), {"--map-by", fmt::format("ppr:{}:node", job.ranks_on_each)});
  return options;
}

// Names stay as they are, for Open MPI 5 by the last of these and by a variable: short forms of them mean nothing to
// the cluster's name server, and two hosts may share one.
constexpr std::array whole_names{"orte_keep_fqdn_hostnames", "prte_keep_fqdn_hostnames"};
constexpr auto whole_names_of_pmix = "PMIX_MCA_pmix_keep_fqdn_hostnames=1";

// Of Open MPI 4 and 5, whose daemons else try all addresses of this machine, one after the other.
constexpr std::array network_of_control{"oob_tcp_if_include", "prte_if_include"};

// All daemons are started from here, where the key is. Those of Open MPI 4 keep their sessions, or what they say of
// their failure would be lost; it refuses fewer sessions at once than hosts.
Words on_other_hosts(const MpirunJob& job, const std::filesystem::path& folder) {
  const auto file = folder / "hosts";
  std::string text;
  for (const auto& host : job.hosts.names)
    text += fmt::format("{} slots={}\n", with_user(job.hosts, host), job.ranks_on_each);
  results::write_private(file, text);
  Words words{"--hostfile", file.string(), "--mca", "plm_rsh_agent", agent(job, folder)};
  for (const auto* setting : {"plm_rsh_no_tree_spawn", "orte_leave_session_attached"})
    words.insert(words.end(), {"--mca", setting, "1"});
  const auto at_once = std::max<std::size_t>(job.hosts.names.size(), 128);
  words.insert(words.end(), {"--mca", "plm_rsh_num_concurrent", std::to_string(at_once)});
  return words;
}

// mpirun takes the nodes of its job from Slurm. What srun says of a daemon is hidden unless its session stays.
Words on_nodes_of_slurm() {
  Words words;
  for (const auto* setting : {"orte_leave_session_attached", "prte_leave_session_attached"})
    words.insert(words.end(), {"--mca", setting, "1"});
  return words;
}

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

}  // namespace

std::vector<std::string> mpirun(const MpirunJob& job, const std::filesystem::path& folder) {
  if (const auto problem = benchmarks::why_files_are_too_small(); !problem.empty())
    throw std::system_error(std::make_error_code(std::errc::file_too_large), problem);
  Words words;
  if (!job.hosts.names.empty()) {
    append(words, {find_program("env", "install coreutils"), whole_names_of_pmix});
    append(words, job.slurm);
  }
  append(words, {find_mpirun(), "--allow-run-as-root", "--oversubscribe", "-np",
                 std::to_string(job.ranks_on_each * job.hosts.count())});
  append(words, placement_options(job, folder));
  if (!job.hosts.names.empty()) {
    append(words, job.slurm.empty() ? on_other_hosts(job, folder) : on_nodes_of_slurm());
    for (const auto* setting : whole_names) append(words, {"--mca", setting, "1"});
  }
  if (job.interface)
    append(words, {"--mca", "btl_tcp_if_include", *job.interface, "--mca", "oob_tcp_if_include", *job.interface});
  else if (job.control)
    for (const auto* setting : network_of_control) append(words, {"--mca", setting, *job.control});
  for (const auto& name : job.environment) append(words, {"-x", name});
  return words;
}

std::vector<std::string> on_host(const MpirunJob& job, const std::string& host, const std::string& line) {
  return {find_program("sh", "install dash"), "-c", ssh(job) + " -x \"$@\"", "sh", with_user(job.hosts, host), line};
}

std::vector<std::string> variables_of_ranks(const char* const* environment) {
  constexpr std::array<std::string_view, 4> of_launchers{"OMPI_", "PMIX_", "PMI_", "SLURM_"};
  std::vector<std::string> names;
  for (const auto& [name, value] : results::recorded_environment(environment))
    if (std::ranges::none_of(of_launchers, [&](std::string_view prefix) { return name.starts_with(prefix); }))
      names.push_back(name);
  return names;
}

}  // namespace muster::healthcheck
