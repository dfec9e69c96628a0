// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "topology/processes.hpp"

namespace muster::healthcheck {

// What the CPUs and processes of a machine had done at one moment.
struct Look {
  std::chrono::steady_clock::time_point when;
  double busy_seconds = 0;
  std::vector<topology::Process> processes;
};

Look look(const topology::Sysfs& sysfs);

// "stress (pid 4242, 198 % of a core)" when others than the process `self` and its descendants kept more
// than half of the CPUs busy between two looks; empty otherwise.
std::string in_use(const Look& before, const Look& after, std::size_t cpus, int self);

}  // namespace muster::healthcheck
