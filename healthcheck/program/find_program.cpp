// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/find_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace muster::healthcheck {

std::string find_program(const std::string& name, std::string_view advice) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder) / name;
    if (access(file.c_str(), X_OK) == 0) return file.string();
  }
  throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory),
                          fmt::format("{} is not in PATH; {}", name, advice));
}

}  // namespace muster::healthcheck
