// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/node/private_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "healthcheck/error.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view prefix = "muster-run-";

bool own_folder(const std::filesystem::path& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

void remove_left_over(const std::filesystem::path& scratch) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(scratch, ignored)) {
    if (!entry.path().filename().string().starts_with(prefix) || !own_folder(entry.path())) continue;
    if (Lock(entry.path()).held()) std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

PrivateFolder::PrivateFolder(const std::filesystem::path& scratch) {
  remove_left_over(scratch);
  std::string name = (scratch / fmt::format("{}{}-XXXXXX", prefix, getpid())).string();
  if (mkdtemp(name.data()) == nullptr)
    throw UsageError(fmt::format("cannot make a folder in {}: {}; name another with --scratch", scratch.string(),
                                 std::generic_category().message(errno)));
  path_ = name;
  lock_.emplace(path_);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace muster::healthcheck
