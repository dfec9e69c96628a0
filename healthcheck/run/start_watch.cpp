// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/start_watch.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "healthcheck/process/addresses.hpp"
#include "healthcheck/process/connection.hpp"
#include "healthcheck/process/tcp_connections.hpp"
#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds interval{50};
constexpr std::chrono::milliseconds more_for_each_host{10};
constexpr std::chrono::milliseconds before_asking{300};
constexpr std::chrono::milliseconds time_to_answer{200};  // each time
constexpr std::chrono::milliseconds between_looks_at_connections{250};
// The kernel asks for a connection at once, and again after 1 s and 3 s.
constexpr std::chrono::seconds before_it_asks_again{1};
constexpr std::chrono::milliseconds time_to_connect{2500};
constexpr std::chrono::seconds before_it_waits{2};
constexpr const char* remedy_for_network = "look at that network, or name another with --interface";

// Why nobody can reach the port of that address; empty where its host answers, were it only to refuse.
std::string why_no_way(const std::string& address, const std::string& port) try {
  const auto found = numeric_address(address, port, SOCK_STREAM);
  if (found) connected(*found, Clock::now() + time_to_answer);
  return {};
} catch (const std::system_error& error) {
  return error.code() == std::errc::connection_refused ? std::string() : error.code().message();
}

// "eth1 (10.78.0.2)", of an address of this host.
std::string interface_of(const std::string& address) {
  const auto own = own_addresses();
  const auto found = std::ranges::find(own, address, &OwnAddress::address);
  return found == own.end() ? address : fmt::format("{} ({})", found->interface, address);
}

// Connections that MPI waits for, since they were first seen. A look at them takes milliseconds, on each host of a
// large job: it is taken once the kernel has had to ask again for some.
class Waiting {
 public:
  // One that has waited for too long.
  std::optional<TcpConnection> hopeless(Clock::time_point now) {
    if (now < next_look_) return std::nullopt;
    next_look_ = now + between_looks_at_connections;
    const bool is_first_look = !looks_;
    looks_ = looks_ || !asked_before_ || asked_again() != asked_before_;
    if (!looks_) return std::nullopt;
    const auto first_seen = is_first_look && asked_before_ ? now - before_it_asks_again : now;
    std::map<std::int64_t, Clock::time_point> seen;
    std::optional<TcpConnection> found;
    for (auto& each : unanswered_connections()) {
      const auto known = since_.find(each.socket);
      const auto since = known == since_.end() ? first_seen : known->second;
      seen.emplace(each.socket, since);
      if (now - since >= time_to_connect) found = std::move(each);
    }
    since_ = std::move(seen);
    return found;
  }

 private:
  const std::optional<std::int64_t> asked_before_ = asked_again();
  bool looks_ = false;
  Clock::time_point next_look_;
  std::map<std::int64_t, Clock::time_point> since_;  // by socket
};

}  // namespace

StartWatch::StartWatch(Job job, Signals* told_to_stop, GiveUp give_up)
    : job_(std::move(job)),
      told_to_stop_(told_to_stop),
      give_up_(std::move(give_up)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void StartWatch::end() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void StartWatch::run(const std::stop_token& stop) {
  const auto started = Clock::now();
  const auto patience_ends = started + job_.patience + job_.hosts * more_for_each_host;
  bool is_asked = job_.next.has_value();
  auto port = job_.idle_port;
  bool has_told = false;
  Waiting waiting;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); })) {
    const auto now = Clock::now();
    if (told_to_stop_ != nullptr && told_to_stop_->next())
      give_up_(fmt::format("MPI had not connected the ranks after {:.0f} s over {}, {}; {}", seconds(now - started),
                           job_.network, words_when_told_to_stop, remedy_for_network));
    if (now < started + before_asking) continue;
    if (const auto silent = waiting.hopeless(now); silent && !stop.stop_requested())
      give_up_(fmt::format("{} cannot be reached over {} (port {}: no answer to MPI); {}", silent->destination,
                           interface_of(silent->source), silent->port, remedy_for_network));
    if (!has_told && now > started + before_it_waits) {
      has_told = true;
      job_.still_waits();
    }
    if (!is_asked) continue;
    const auto reason = why_no_way(*job_.next, port);
    port = job_.port;  // which a firewall lets pass
    is_asked = !reason.empty();
    if (is_asked && now > patience_ends && !stop.stop_requested())
      give_up_(fmt::format("{} cannot be reached over {} (port {}: {}); {}", *job_.next, job_.network, job_.port,
                           reason, remedy_for_network));
  }
}

}  // namespace muster::healthcheck
