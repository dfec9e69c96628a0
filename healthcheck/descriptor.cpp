// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/descriptor.hpp"

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

void occupy_standard_descriptors() {
  int number = open("/dev/null", O_RDWR);
  while (number >= 0 && number <= STDERR_FILENO) number = open("/dev/null", O_RDWR);
  if (number > STDERR_FILENO) close(number);
}

}  // namespace muster::healthcheck
