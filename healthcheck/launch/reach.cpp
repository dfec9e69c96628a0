// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/reach.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stop_token>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "healthcheck/process/connection.hpp"
#include "healthcheck/program/deadline.hpp"
#include "results/strings/joined_phrases.hpp"
#include "results/strings/utf8.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds patience_of_one{1};
constexpr std::chrono::milliseconds pause{200};
constexpr std::size_t max_threads = 128;
constexpr std::size_t max_absent_named = 8;
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
  return fmt::format("{}{}: {}", start_of_no_connection, port, error.code().message());
}

// A host, and what became of the last attempt.
struct Asked {
  std::string host;
  std::string reason = "it was not asked";  // why nobody answers; empty where one does
  std::string address = {};                 // where
};

void ask(Asked& asked, std::optional<std::size_t> port) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code = getaddrinfo(asked.host.c_str(), std::to_string(port.value_or(0)).c_str(), &wanted, &found);
  if (code != 0) {
    asked.reason = fmt::format("its name cannot be resolved: {}", gai_strerror(code));
    return;
  }
  const Addresses addresses(found);
  const auto end = Clock::now() + patience_of_one;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    asked.reason = port ? why_no_ssh_at(*each, *port, end) : std::string();
    if (!asked.reason.empty()) continue;
    asked.address = number_of(*each->ai_addr);
    return;
  }
}

// What one thread looks after, until all of it answers.
void look_after(std::vector<Asked*> silent, std::optional<std::size_t> port, Clock::time_point deadline,
                const std::stop_token& stop) {
  while (!silent.empty() && !stop.stop_requested()) {
    std::erase_if(silent, [&](Asked* each) {
      if (!stop.stop_requested()) ask(*each, port);
      return each->reason.empty();
    });
    if (silent.empty() || Clock::now() >= deadline) return;
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

std::string names_of(const std::vector<Absent>& absent) {
  std::vector<std::string> phrases;
  for (const auto& [host, reason] : absent) phrases.push_back(fmt::format("{} ({})", host, reason));
  return results::joined_phrases(std::move(phrases), max_absent_named, ", ");
}

std::string why_no_ssh(const std::string& host, std::size_t port) {
  Asked asked{.host = host};
  ask(asked, port);
  return asked.reason;
}

Waited wait_for_hosts(const std::vector<std::string>& hosts, std::optional<std::size_t> port,
                      Clock::time_point deadline, Signals& signals) {
  setenv("RES_OPTIONS", "timeout:1 attempts:1", 0);  // a name server that hangs must not outlast the deadline
  std::vector<Asked> all;
  for (const auto& host : hosts) all.push_back({.host = host});
  std::vector<std::vector<Asked*>> shares(std::min(hosts.size(), max_threads));
  for (std::size_t index = 0; index < hosts.size(); ++index) shares[index % shares.size()].push_back(&all[index]);
  std::atomic<std::size_t> at_work = shares.size();
  const Descriptor all_done(eventfd(0, EFD_CLOEXEC));
  Waited waited;
  {
    std::vector<std::jthread> threads;
    for (const auto& share : shares)
      threads.emplace_back([&](const std::stop_token& stop) {
        look_after(share, port, deadline, stop);
        if (--at_work == 0) eventfd_write(all_done.number(), 1);
      });
    std::array<pollfd, 2> wanted{{{.fd = signals.descriptor(), .events = POLLIN, .revents = 0},
                                  {.fd = all_done.number(), .events = POLLIN, .revents = 0}}};
    while (at_work > 0 && !waited.told_to_stop) {
      poll(wanted.data(), wanted.size(), -1);
      waited.told_to_stop = signals.next().has_value();
    }
    for (auto& thread : threads) thread.request_stop();
  }
  for (const auto& [host, reason, address] : all)
    if (reason.empty())
      waited.addresses.push_back(address);
    else
      waited.absent.push_back({.host = host, .reason = reason});
  return waited;
}

}  // namespace muster::healthcheck
