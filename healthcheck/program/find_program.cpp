// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/find_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace muster::healthcheck {
namespace {

// Empty where there is none.
std::string found_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = std::filesystem::path(folder) / name;
    if (access(file.c_str(), X_OK) == 0) return file.string();
  }
  return {};
}

}  // namespace

std::string find_program(const std::string& name, std::string_view advice) {
  if (auto file = found_in_path(name); !file.empty()) return file;
  throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory),
                          fmt::format("{} is not in PATH; {}", name, advice));
}

bool has_program(const std::string& name) { return !found_in_path(name).empty(); }

}  // namespace muster::healthcheck
