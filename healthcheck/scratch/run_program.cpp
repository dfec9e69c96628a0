// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/scratch/run_program.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

#include "healthcheck/process/start.hpp"
#include "healthcheck/program/find_program.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck::scratch {
namespace {

std::string all_of(const Descriptor& output) {
  std::string said;
  std::array<char, 4096> part{};
  while (true) {
    pollfd readable{.fd = output.number(), .events = POLLIN, .revents = 0};
    poll(&readable, 1, -1);
    const auto got = read(output.number(), part.data(), part.size());
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return said;
    if (got > 0) said.append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

void run_program(std::vector<std::string> command) {
  const auto name = command.front();
  command.front() = find_program(name, "install mdadm and e2fsprogs");
  const auto started = start(command);
  if (started.pid < 0) throw std::runtime_error(fmt::format("{} cannot be started: {}", name, started.reason));
  auto said = all_of(started.output);
  int status = 0;
  waitpid(started.pid, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  std::ranges::replace(said, '\n', ' ');
  throw std::runtime_error(fmt::format("{} failed: {}", name, topology::trimmed(said)));
}

}  // namespace muster::healthcheck::scratch
