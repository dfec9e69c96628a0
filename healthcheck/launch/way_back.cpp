// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/launch/way_back.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "healthcheck/launch/reach.hpp"
#include "healthcheck/process/addresses.hpp"
#include "healthcheck/process/tcp_connections.hpp"
#include "results/strings/joined_phrases.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds time_to_come{1500};
constexpr std::chrono::milliseconds time_until_next{500};  // after a host that has come
constexpr std::chrono::milliseconds more_for_each_daemon{30};
constexpr std::chrono::milliseconds between_looks_at_daemons{200};
constexpr std::chrono::seconds time_to_answer{4};
constexpr std::size_t hosts_at_mpirun = 64;  // daemons of more hosts hold connections with one of these
constexpr std::size_t max_asked = 8;

bool can_be_read(int descriptor) {
  pollfd wanted{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, 0) > 0;
}

// Hosts other than this one that hold no connection with mpirun, by their places in the list.
std::vector<std::size_t> those_away(const std::vector<std::string>& addresses, const std::string& port_of_ssh) {
  const auto own = own_addresses();
  std::set<std::string> come;
  for (const auto& each : connections_of_children())
    if (each.port != port_of_ssh && !is_own(own, each.destination)) come.insert(each.destination);
  std::vector<std::size_t> away;
  std::size_t others = 0;
  for (std::size_t host = 0; host < addresses.size(); ++host) {
    if (is_own(own, addresses[host])) continue;
    ++others;
    if (!come.contains(addresses[host])) away.push_back(host);
  }
  if (come.size() >= std::min(others, hosts_at_mpirun)) away.clear();
  return away;
}

}  // namespace

WayBack::WayBack(Job job)
    : job_(std::move(job)),
      time_until_next_(time_until_next + std::min(job_.addresses.size(), hosts_at_mpirun) * more_for_each_daemon),
      next_look_(Clock::now() + time_to_come),
      last_came_(next_look_) {}

std::optional<std::string> WayBack::why_none() {
  if (is_over_) return std::nullopt;
  if (asked_.empty()) {
    if (!is_time_to_ask()) return std::nullopt;
    ask();
  }
  listen();
  is_over_ = std::ranges::all_of(asked_, &Asked::has_answered);
  if (!is_over_) return std::nullopt;
  std::erase_if(asked_, [](const Asked& each) { return !each.trouble; });
  const bool came_late = those_away(job_.addresses, std::to_string(job_.mpirun.port)).empty();
  if (asked_.empty() || came_late) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& each : asked_) names.push_back(each.host);
  return fmt::format(
      "mpirun's daemons cannot reach the machine that starts them at {} ({}); let TCP pass to it (firewall) from {}",
      asked_.front().here, *asked_.front().trouble, results::joined_phrases(std::move(names), max_asked, ", "));
}

bool WayBack::is_time_to_ask() {
  const auto now = Clock::now();
  if (now < next_look_) return false;
  next_look_ = now + between_looks_at_daemons;
  auto away = those_away(job_.addresses, std::to_string(job_.mpirun.port));
  if (away.size() < away_.size()) last_came_ = now;
  away_ = std::move(away);
  return now >= last_came_ + time_until_next_;
}

void WayBack::ask() {
  for (const auto host : away_) {
    const auto here = source_towards(job_.addresses[host]);
    if (!here || asked_.size() == max_asked) continue;
    const auto once = fmt::format("'{}' probe --host {} --port {}", job_.program.string(), *here, job_.port);
    const auto& name = job_.mpirun.hosts.names[host];
    asked_.push_back(
        {.host = name,
         .here = *here,
         .answer = Guard(on_host(job_.mpirun, name, once + " || " + once), Clock::now() + time_to_answer)});
  }
}

// A refusal is an answer, of which mpirun's daemon tells itself.
void WayBack::listen() {
  const auto refused = std::make_error_code(std::errc::connection_refused).message();
  for (auto& each : asked_) {
    if (each.has_answered || !can_be_read(each.answer.descriptor())) continue;
    each.has_answered = true;
    const auto line = each.answer.ending().last_line;
    if (line.starts_with(start_of_no_connection) && !line.ends_with(refused)) each.trouble = line;
  }
}

}  // namespace muster::healthcheck
