// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/program/signals.hpp"
#include "healthcheck/run/run_single.hpp"
#include "healthcheck/run/start_watch.hpp"

namespace muster::healthcheck {

class CommandLine;

// What muster launch tells the ranks of its job; nothing where another started them.
struct LaunchSettings {
  std::string hosts_at;                 // JobAddresses
  std::vector<std::string> interfaces;  // of --interface
  bool leave_network = false;           // MPI was told by others which interfaces it uses
  std::string seats;                    // seat.hpp; empty where nobody asked for CPUs
};

void add_options(CommandLine& line, LaunchSettings& job);

// Has MPI, which is not started yet, use the network of the other hosts. On the first rank of each host what it returns
// watches the start, until options.started is called, and options.network says what the network is. On every rank
// options.misplaced says where it is bound if not as was asked for. Ends this process where the host has no such
// interface. `inbox` is that of Options::deliver_to. Throws topology::Error.
std::unique_ptr<StartWatch> watched_start(const std::string& check, const LaunchSettings& launched,
                                          const std::optional<std::string>& inbox, Signals* told_to_stop,
                                          SingleCheckOptions& options);

}  // namespace muster::healthcheck
