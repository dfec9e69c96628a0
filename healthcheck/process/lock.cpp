// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>
#include <system_error>

#include "healthcheck/program/error.hpp"
#include "healthcheck/program/private_folder.hpp"

namespace muster::healthcheck {
namespace {

// Read-only first: in a sticky folder the kernel forbids opening another user's file for creation.
int open_or_make(const std::filesystem::path& file) {
  const int existing = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
  if (existing >= 0 || errno != ENOENT) return existing;
  const int made = open(file.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  return made;
}

}  // namespace

Lock::Lock(const std::filesystem::path& file) : file_(open_or_make(file)) {
  if (!file_)
    throw UsageError(fmt::format("cannot open the lock {}: {}; name another with --lock", file.string(),
                                 std::generic_category().message(errno)));
  held_ = flock(file_.number(), LOCK_EX | LOCK_NB) == 0;
}

int Lock::holder(const topology::Sysfs& live) const {
  struct stat file {};
  if (fstat(file_.number(), &file) != 0) return 0;
  // "3: FLOCK  ADVISORY  WRITE 4242 00:1b:1234 0 EOF"
  std::istringstream locks(live.text("proc/locks").value_or(""));
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, mode, access, where;
    int pid = 0;
    if (words >> number >> kind >> mode >> access >> pid >> where && kind == "FLOCK" && pid > 0 &&
        where.ends_with(":" + std::to_string(file.st_ino)))
      return pid;
  }
  return 0;
}

std::filesystem::path default_lock() {
  const std::filesystem::path file = "/run/lock/muster.lock";
  const bool usable = access(file.c_str(), R_OK) == 0 || access(file.parent_path().c_str(), W_OK) == 0;
  return usable ? file : temporary_folder() / file.filename();
}

}  // namespace muster::healthcheck
