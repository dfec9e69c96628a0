// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

struct Process {
  int pid = 0;
  int parent = 0;
  char state = '?';  // as in /proc/PID/stat: R, S, D, Z, T ...
  std::string name;
  double cpu_seconds = 0;  // user and system time so far
};

// Every process that could be read; one that ends meanwhile is left out.
std::vector<Process> processes(const Sysfs& sysfs);

// Children of `pid`, their children and so on, without `pid` itself.
std::vector<int> descendants(const std::vector<Process>& all, int pid);

// The kernel function a process waits in (wchan, else the top of its stack); nothing when it runs or may not be read.
std::optional<std::string> kernel_function(const Sysfs& sysfs, int pid);

// Seconds that all CPUs together spent not idle since boot, from /proc/stat. Throws Error when it does not tell.
double busy_seconds(const Sysfs& sysfs);

// The text of /proc/PID/stat with that many clock ticks in a second; nothing when it is not of that form. The name is
// what stands between the first and the last parenthesis, whatever it holds.
std::optional<Process> process_from(std::string_view stat, double ticks_per_second);
// Ticks that are neither idle nor waiting in the "cpu" line of /proc/stat. Throws Error when there is no such line.
double busy_ticks(std::string_view stat);
// "[<0>] do_wait+0x5b/0x120" -> "do_wait", of the first line; nothing when it is empty.
std::optional<std::string> top_of_stack(std::string_view stack);

}  // namespace muster::topology
