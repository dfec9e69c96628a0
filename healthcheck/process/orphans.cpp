// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/orphans.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "healthcheck/process/supervise.hpp"

namespace muster::healthcheck {

std::vector<pid_t> orphans(const std::vector<topology::Process>& all, pid_t self, const std::vector<pid_t>& spared) {
  std::vector<topology::Process> others;
  std::ranges::copy_if(all, std::back_inserter(others), [&](const topology::Process& process) {
    return std::ranges::find(spared, process.pid) == spared.end() && process.state != 'Z';
  });
  return topology::descendants(others, self);
}

void kill_orphans(const std::vector<pid_t>& spared) {
  const topology::Sysfs live;
  const auto end = std::chrono::steady_clock::now() + kill_timeout;
  while (std::chrono::steady_clock::now() < end) {
    const auto found = orphans(topology::processes(live), getpid(), spared);
    if (found.empty()) return;
    for (const pid_t pid : found) kill(pid, SIGKILL);
    poll(nullptr, 0, 10);
    for (const pid_t pid : found) waitpid(pid, nullptr, WNOHANG);
  }
}

}  // namespace muster::healthcheck
