// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.hpp"

namespace muster::tests {

// An executable shell script in the folder, as a command.
std::vector<std::string> script(const TemporaryFolder& folder, std::string_view text);

// The process ids in a file, one for each line, once `count` of them are there; fewer when that takes over 5 s.
std::vector<pid_t> pids(const std::filesystem::path& file, std::size_t count);

// Whether a process runs (a zombie does not).
bool alive(pid_t pid);

// Whether a process is gone before the time is over.
bool ends_within(pid_t pid, std::chrono::milliseconds time);

}  // namespace muster::tests
