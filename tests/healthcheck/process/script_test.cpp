// SPDX-License-Identifier: Apache-2.0
#include "tests/healthcheck/process/script.hpp"

#include <algorithm>
#include <fstream>
#include <thread>

#include "topology/kernel/processes.hpp"

namespace muster::tests {

std::vector<std::string> script(const TemporaryFolder& folder, std::string_view text) {
  const auto file = folder.path() / "script";
  folder.write("script", "#!/bin/sh\ncd '" + folder.path().string() + "'\n" + std::string(text) + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return {file.string()};
}

std::vector<pid_t> pids(const std::filesystem::path& file, std::size_t count) {
  std::vector<pid_t> found;
  for (int attempt = 0; attempt < 500 && found.size() < count; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    found.clear();
    std::ifstream stream(file);
    for (pid_t pid = 0; stream >> pid;) found.push_back(pid);
  }
  return found;
}

bool alive(pid_t pid) {
  return std::ranges::any_of(topology::processes(topology::Sysfs()), [&](const topology::Process& process) {
    return process.pid == pid && process.state != 'Z';
  });
}

bool ends_within(pid_t pid, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (alive(pid)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace muster::tests
