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
};

void add_options(CommandLine& line, LaunchSettings& job);

// Has MPI, which is not started yet, use the network of the other hosts. On the first rank of each host what it returns
// watches the start, until options.started is called, and options.network says what the network is. Ends this process
// where the host has no such interface. `inbox` is that of Options::deliver_to.
std::unique_ptr<StartWatch> watched_start(const std::string& check, const LaunchSettings& launched,
                                          const std::optional<std::string>& inbox, Signals* told_to_stop,
                                          SingleCheckOptions& options);

}  // namespace muster::healthcheck
