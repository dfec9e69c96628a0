// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/process/addresses.hpp"

namespace muster::healthcheck {

// Where ssh answers on the hosts of a job, in their order, as muster launch tells it: "22 10.0.0.4 10.0.0.5".
struct JobAddresses {
  std::string port;
  std::vector<std::string> hosts;
};

JobAddresses read_job_addresses(std::string_view text);

// The network over which one host of a job talks to the others.
struct JobNetwork {
  std::vector<std::string> interfaces;  // none where nothing is known
  std::vector<std::string> addresses;   // of this host there
  std::vector<std::string> families;    // "4", "6": of IP, which these are of
  std::string used;                     // "eth0 (10.0.0.4)"
  std::string words;  // "eth0 (10.0.0.4), which routes to the other hosts use; not docker0 (172.17.0.1)"
};

// By addresses and routes, and by no interface's name: a bridge of containers (docker0, virbr0) has the same address on
// every host, and whoever takes it for their network talks to itself.
JobNetwork network_by_routes(const JobAddresses& job, std::span<const OwnAddress> own,
                             const std::function<std::optional<std::string>(const std::string&)>& source_towards);

// That of --interface, which names interfaces and networks (eth0, 10.4.0.0/16). Open MPI 5 ignores a network where
// an interface has addresses of IPv6, too, and takes names.
JobNetwork network_by_request(std::span<const std::string> wanted, std::span<const OwnAddress> own);

// The address of the host that follows this one in a ring; nothing where this one is not in the list, or alone.
std::optional<std::string> next_host(const JobAddresses& job, std::span<const OwnAddress> own);

// Has Open MPI use that network for TCP, where it has not been started yet.
void tell_open_mpi(const JobNetwork& network);

}  // namespace muster::healthcheck
