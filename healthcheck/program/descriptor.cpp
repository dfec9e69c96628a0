// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/program/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace muster::healthcheck {

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  return {.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

}  // namespace muster::healthcheck
