// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/private_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view prefix = "muster-run-";
constexpr int max_attempts = 100;

bool own_folder(const std::filesystem::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

// Open and locked; nothing when another has it, or when it went meanwhile.
Descriptor locked(const std::filesystem::path& folder) {
  Descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat held {};
  struct stat there {};
  const bool ours = opened && flock(opened.number(), LOCK_EX | LOCK_NB) == 0 && fstat(opened.number(), &held) == 0 &&
                    lstat(folder.c_str(), &there) == 0 && held.st_dev == there.st_dev && held.st_ino == there.st_ino;
  return ours ? std::move(opened) : Descriptor();
}

void remove_left_over(const std::filesystem::path& scratch) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(scratch, ignored)) {
    if (!entry.path().filename().string().starts_with(prefix) || !own_folder(entry.path())) continue;
    if (const auto lock = locked(entry.path())) std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

std::filesystem::path temporary_folder() {
  std::error_code problem;
  auto folder = std::filesystem::temp_directory_path(problem);
  if (problem) {
    const char* named = std::getenv("TMPDIR");
    throw UsageError(fmt::format("TMPDIR is '{}', which is not a folder ({}); set it to one, or give --scratch",
                                 named == nullptr ? "" : named, problem.message()));
  }
  return folder;
}

PrivateFolder::PrivateFolder(const std::filesystem::path& scratch) {
  remove_left_over(scratch);
  int error = 0;
  // Until it is locked, another run that starts now takes it for one that was left.
  for (int attempt = 0; attempt < max_attempts && !lock_; ++attempt) {
    std::string name = (scratch / fmt::format("{}{}-XXXXXX", prefix, getpid())).string();
    const bool made = mkdtemp(name.data()) != nullptr;
    if (made) lock_ = locked(name);
    error = errno;
    if (!made) break;
    if (!lock_) rmdir(name.c_str());
    path_ = name;
  }
  if (!lock_)
    throw UsageError(fmt::format("cannot make a folder in {}: {}; name another with --scratch", scratch.string(),
                                 std::generic_category().message(error)));
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace muster::healthcheck
