// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace muster::healthcheck {

struct WorkerOptions {
  std::size_t port = 22;
  std::filesystem::path keys = ".";
  std::optional<std::filesystem::path> scratch;  // the system's temporary folder when not given
};

// Runs sshd, with a configuration of its own and a host key made now, until SIGTERM or SIGINT; everything that was
// started through it ends then, too. Works as root and as any user that has a name; a server that is not root's takes
// that user alone. Returns 0, or 3 when the server ended by itself. Throws UsageError, or std::system_error where there
// is no sshd.
int work(const WorkerOptions& options);

// The configuration: keys alone log in, to run programs alone; ranks get this program's PATH and LD_LIBRARY_PATH.
std::string sshd_configuration(std::size_t port, const std::filesystem::path& folder, const char* const* environment);

}  // namespace muster::healthcheck
