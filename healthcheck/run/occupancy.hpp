// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "topology/kernel/processes.hpp"

namespace muster::healthcheck {

// What the CPUs and processes of a machine had done at one moment.
struct LoadSnapshot {
  std::chrono::steady_clock::time_point when;
  double busy_seconds = 0;
  std::vector<topology::Process> processes;
};

LoadSnapshot look(const topology::Sysfs& sysfs);

// What others than one process and its descendants did between two looks.
struct Foreign {
  double cores = 0;   // that they kept busy
  std::string names;  // "stress (pid 4242, 198 % of a core)", of those that can be seen and did most
};

Foreign foreign(const LoadSnapshot& before, const LoadSnapshot& after, int self);

// Who, when they kept more than half of the CPUs busy; empty otherwise.
std::string in_use(const Foreign& foreign, std::size_t cpus);

// Who does now: looks for 0.1 s, and for 0.3 s where that does not find the machine idle.
std::string in_use_now(const topology::Sysfs& sysfs);

// Whether they did next to nothing, so that nobody need look for longer.
bool is_idle(const Foreign& foreign, std::size_t cpus);

}  // namespace muster::healthcheck
