// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/turn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <system_error>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {

Turn::Turn(const std::filesystem::path& file) : file_(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (!file_)
    throw UsageError(fmt::format("cannot open {}: {}; --turn names a file that who started this check has locked",
                                 file.string(), std::generic_category().message(errno)));
}

bool Turn::has_come() const { return flock(file_.number(), LOCK_SH | LOCK_NB) == 0; }

void Turn::await() const {
  while (flock(file_.number(), LOCK_SH) != 0 && errno == EINTR) continue;
}

Gate::Gate(const std::filesystem::path& file) : file_(open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
  if (!file_ || flock(file_.number(), LOCK_EX | LOCK_NB) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot lock " + file.string());
}

void Gate::give_turn() const { flock(file_.number(), LOCK_UN); }

}  // namespace muster::healthcheck
