// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/reach.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <thread>

#include "healthcheck/process/connection.hpp"
#include "healthcheck/program/deadline.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience_of_one{1};
constexpr std::chrono::milliseconds pause{200};
constexpr std::size_t max_threads = 128;
constexpr std::string_view greeting_of_ssh = "SSH-";

std::string why_no_ssh_at(const addrinfo& address, std::size_t port, Clock::time_point end) try {
  const auto socket = connected(address, end);
  pollfd wanted{.fd = socket.number(), .events = POLLIN, .revents = 0};
  poll(&wanted, 1, milliseconds_until(end));
  std::array<char, 64> text{};
  const auto size = recv(socket.number(), text.data(), text.size(), 0);
  const std::string_view said(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (said.starts_with(greeting_of_ssh)) return {};
  if (said.empty()) return fmt::format("port {} is open, but no ssh server speaks there", port);
  return fmt::format("what answers at port {} is not an ssh server: '{}'", port, results::shortened(said, 40));
} catch (const std::system_error& error) {
  return fmt::format("no connection to port {}: {}", port, error.code().message());
}

// What one thread looks after, until all of it answers.
void look_after(std::vector<Absent>& absent, std::size_t port, Clock::time_point deadline,
                const std::stop_token& stop) {
  while (!absent.empty() && !stop.stop_requested()) {
    std::erase_if(absent, [&](Absent& each) {
      if (!stop.stop_requested()) each.reason = why_no_ssh(each.host, port);
      return each.reason.empty();
    });
    if (absent.empty() || Clock::now() >= deadline) return;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

std::string why_no_ssh(const std::string& host, std::size_t port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (code != 0) return fmt::format("its name cannot be resolved: {}", gai_strerror(code));
  const Addresses addresses(found);
  const auto end = Clock::now() + patience_of_one;
  std::string reason;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    reason = why_no_ssh_at(*each, port, end);
    if (reason.empty()) return {};
  }
  return reason;
}

Waited wait_for_hosts(const std::vector<std::string>& hosts, std::size_t port, Clock::time_point deadline,
                      Signals& signals) {
  setenv("RES_OPTIONS", "timeout:1 attempts:1", 0);  // a name server that hangs must not outlast the deadline
  std::vector<std::vector<Absent>> shares(std::min(hosts.size(), max_threads));
  for (std::size_t index = 0; index < hosts.size(); ++index)
    shares[index % shares.size()].push_back({.host = hosts[index], .reason = "it was not asked"});
  std::atomic<std::size_t> at_work = shares.size();
  Waited waited;
  {
    std::vector<std::jthread> threads;
    for (auto& share : shares)
      threads.emplace_back([&](const std::stop_token& stop) {
        look_after(share, port, deadline, stop);
        --at_work;
      });
    pollfd wanted{.fd = signals.descriptor(), .events = POLLIN, .revents = 0};
    while (at_work > 0 && !waited.told_to_stop) {
      poll(&wanted, 1, 10);
      waited.told_to_stop = signals.next().has_value();
    }
    for (auto& thread : threads) thread.request_stop();
  }
  for (auto& share : shares) std::ranges::move(share, std::back_inserter(waited.absent));
  return waited;
}

}  // namespace muster::healthcheck
