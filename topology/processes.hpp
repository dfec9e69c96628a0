// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/sysfs.hpp"

namespace muster::topology {

struct Process {
  int pid = 0;
  int parent = 0;
  char state = '?';        // as in /proc/PID/stat: R, S, D, Z, T ...
  std::string name;
  double cpu_seconds = 0;  // user and system time so far
};

// Every process that could be read; one that ends meanwhile is left out.
std::vector<Process> processes(const Sysfs& sysfs);

// Children of `pid`, their children and so on, without `pid` itself.
std::vector<int> descendants(const std::vector<Process>& all, int pid);

// The kernel function a process waits in (wchan, else the top of its stack); nothing when it runs or may not be read.
std::optional<std::string> kernel_function(const Sysfs& sysfs, int pid);

// Seconds that all CPUs together spent not idle since boot, from /proc/stat.
double busy_seconds(const Sysfs& sysfs);

}  // namespace muster::topology
