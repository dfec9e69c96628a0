// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/open_mpi.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <utility>

#include "healthcheck/process/start.hpp"
#include "healthcheck/process/tail.hpp"
#include "healthcheck/program/deadline.hpp"
#include "healthcheck/program/error.hpp"
#include "healthcheck/program/find_program.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds time_to_say_version{5};
// Before it mpirun calls such a letter illegal, and waits without end for daemons (seen with 4.1.4).
constexpr int first_with_all_letters = 5;

// The first letter that names in the Internet do not have; npos where there is none.
std::size_t odd_letter(std::string_view host) {
  const auto is_usual = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '.' || letter == '-';
  };
  const auto* const found = std::ranges::find_if_not(host, is_usual);
  return found == host.end() ? std::string_view::npos : static_cast<std::size_t>(found - host.begin());
}

bool is_odd(std::string_view host) { return odd_letter(host) != std::string_view::npos; }

int major(std::string_view version) {
  int number = 0;
  std::from_chars(version.begin(), version.end(), number);
  return number;
}

// What a program says within its time.
std::string said_by(const std::vector<std::string>& command) {
  auto started = start(command);
  Tail output(std::move(started.output));
  const auto end = Clock::now() + time_to_say_version;
  while (started.pid > 0 && output.descriptor() >= 0 && Clock::now() < end) {
    pollfd wanted{.fd = output.descriptor(), .events = POLLIN, .revents = 0};
    poll(&wanted, 1, milliseconds_until(end));
    output.read();
  }
  if (started.pid > 0) {
    kill(started.pid, SIGKILL);
    waitpid(started.pid, nullptr, 0);
  }
  return std::string(output.text());
}

}  // namespace

std::optional<std::string> open_mpi_version(std::string_view said) {
  constexpr std::string_view name = "(Open MPI) ";
  const auto at = said.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  const auto rest = said.substr(at + name.size());
  return std::string(rest.substr(0, rest.find_first_of(" \n")));
}

std::string why_no_host(std::span<const std::string> hosts, std::string_view version) {
  const auto host = std::ranges::find_if(hosts, is_odd);
  if (host == hosts.end() || major(version) >= first_with_all_letters) return {};
  return fmt::format(
      "mpirun of Open MPI {} does not take {} for a host, because of its '{}': give a name of letters, digits, '.' and "
      "'-', or use Open MPI {}",
      version, *host, (*host)[odd_letter(*host)], first_with_all_letters);
}

void expect_hosts_for_mpirun(std::span<const std::string> hosts) {
  if (std::ranges::none_of(hosts, is_odd)) return;
  const auto version = open_mpi_version(said_by({find_program("mpirun", "install Open MPI"), "--version"}));
  if (!version) return;
  if (const auto reason = why_no_host(hosts, *version); !reason.empty()) throw UsageError(reason);
}

}  // namespace muster::healthcheck
