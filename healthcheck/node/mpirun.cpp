// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/mpirun.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace muster::healthcheck {
namespace {

std::string found_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder) / program;
    if (access(file.c_str(), X_OK) == 0) return file.string();
  }
  throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory),
                          program + " is not in PATH; install Open MPI");
}

}  // namespace

std::vector<std::string> mpirun(std::size_t gpus) {
  return {found_in_path("mpirun"),
          "--allow-run-as-root",
          "--oversubscribe",
          "--bind-to",
          "none",
          "-np",
          std::to_string(std::max<std::size_t>(2, gpus))};
}

}  // namespace muster::healthcheck
