// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/program/signals.hpp"

namespace muster::healthcheck {

// Why no ssh server answers begins so where nothing at all does.
inline constexpr std::string_view start_of_no_connection = "no connection to port ";

// Why no ssh server answers at this port of the host; empty when one does. Takes a second, and what the resolver takes.
std::string why_no_ssh(const std::string& host, std::size_t port);

struct Absent {
  std::string host;
  std::string reason;  // of the last attempt: its name, the connection, or what answers there
};

// "n3 (no connection to port 22: ...), n7 (...)": the first eight of them.
std::string names_of(const std::vector<Absent>& absent);

struct Waited {
  std::vector<Absent> absent;
  std::vector<std::string> addresses;  // where each of the others answered, in the order of the hosts
  bool told_to_stop = false;
};

// Returns when an ssh server answers on every host, at the deadline, or when a signal has come. All are asked side by
// side, again and again. Without a port nobody is asked: the addresses are those that the names have. The caller must
// have one thread, and has one again afterwards.
Waited wait_for_hosts(const std::vector<std::string>& hosts, std::optional<std::size_t> port,
                      std::chrono::steady_clock::time_point deadline, Signals& signals);

}  // namespace muster::healthcheck
