// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/start/hosts.hpp"
#include "topology/machine/machine.hpp"

namespace muster::healthcheck {

// "muster: ssh to gpu-0002 ended with 127" is a line among the words of mpirun, of a host whose daemon did not start.
inline constexpr std::string_view start_of_failed_ssh = "muster: ssh to ";

// A job of as many ranks on each of some hosts.
struct MpirunJob {
  HostList hosts;
  std::size_t ranks_on_each = 1;
  std::size_t port = 22;
  std::optional<std::filesystem::path> key;  // of the job; the user's own ssh where there is none
  std::filesystem::path known_hosts;         // with that key
  std::optional<std::string> interface;      // of control and TCP traffic
  std::optional<std::string> control;        // network of control traffic alone
  std::optional<topology::Machine> machine;  // what each host is; ranks are bound to their GPUs' CPUs where it is known
  std::vector<std::string> environment = {};  // names of variables that the ranks get, too
  std::vector<std::string> slurm = {};  // variables of slurm_job.hpp, where srun is to start the daemons of mpirun
};

// What stands before the program: mpirun and its options; its host file, its script for ssh, and the rankfile are
// written into the folder.
// Throws std::system_error where there is no mpirun, or it could not work here, topology::Error where ranks do not fit
// on the machine.
std::vector<std::string> mpirun(const MpirunJob& job, const std::filesystem::path& folder);

// What runs a line of a shell on a host, reached as mpirun reaches it. Throws std::system_error where there is no ssh.
std::vector<std::string> on_host(const MpirunJob& job, const std::string& host, const std::string& line);

// Names of the variables that ranks on other hosts need, too: settings of NCCL, UCX, CUDA and thread libraries. (mpirun
// carries those of Open MPI itself.)
std::vector<std::string> variables_of_ranks(const char* const* environment);

}  // namespace muster::healthcheck
