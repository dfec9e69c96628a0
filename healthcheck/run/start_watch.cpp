// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/run/start_watch.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "healthcheck/process/connection.hpp"
#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds interval{50};
constexpr std::chrono::milliseconds more_for_each_host{10};
constexpr std::chrono::milliseconds before_asking{300};
constexpr std::chrono::milliseconds time_to_answer{200};  // each time
constexpr const char* remedy_for_network = "look at that network, or name another with --interface";

// Why nobody can reach the port of that address; empty where its host answers, were it only to refuse.
std::string why_no_way(const std::string& address, const std::string& port) try {
  const auto found = numeric_address(address, port, SOCK_STREAM);
  if (found) connected(*found, Clock::now() + time_to_answer);
  return {};
} catch (const std::system_error& error) {
  return error.code() == std::errc::connection_refused ? std::string() : error.code().message();
}

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
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); })) {
    const auto now = Clock::now();
    if (told_to_stop_ != nullptr && told_to_stop_->next())
      give_up_(fmt::format("MPI had not connected the ranks after {:.0f} s over {}, {}; {}", seconds(now - started),
                           job_.network, words_when_told_to_stop, remedy_for_network));
    if (!is_asked || now < started + before_asking) continue;
    const auto reason = why_no_way(*job_.next, job_.port);
    is_asked = !reason.empty();
    if (is_asked && now > patience_ends && !stop.stop_requested())
      give_up_(fmt::format("{} cannot be reached over {} (port {}: {}); {}", *job_.next, job_.network, job_.port,
                           reason, remedy_for_network));
  }
}

}  // namespace muster::healthcheck
