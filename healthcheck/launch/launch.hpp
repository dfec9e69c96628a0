// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "healthcheck/check/check.hpp"
#include "healthcheck/run/options.hpp"
#include "healthcheck/start/hosts.hpp"

namespace muster::healthcheck {

struct LaunchOptions {
  Options common;
  HostRequest hosts;
  std::optional<std::size_t> ranks_on_each;   // the slots of the hostfile, the GPUs of the topology file, else 1
  std::size_t port = 22;                      // of ssh
  std::optional<std::filesystem::path> keys;  // folder of the job's own id_rsa or id_ed25519
  std::vector<std::string> interfaces;        // or networks, of MPI's traffic
  double wait_seconds = 120;                  // for all hosts to answer
  double deadline_seconds = 900;              // for everything
  std::vector<std::string> job;               // the check, and its options
};

// Waits for the hosts, runs the check on them as one job, and leaves a report, whatever becomes of the job. Returns the
// exit code that the report says. Throws UsageError.
int launch(const LaunchOptions& options, const std::filesystem::path& bin, const std::vector<Description>& checks);

}  // namespace muster::healthcheck
