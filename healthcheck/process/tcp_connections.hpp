// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

struct TcpConnection {
  std::string source;       // its address on this host
  std::string destination;  // the address of the other
  std::string port;         // there
  std::int64_t socket = 0;  // its inode

  bool operator==(const TcpConnection&) const = default;
};

enum class TcpState {
  established,
  unanswered,  // asked for, and neither taken nor refused so far
};

// Those in the text of the kernel's /proc/net/tcp or /proc/net/tcp6. Lines of another form are left out.
std::vector<TcpConnection> connections_in(std::string_view table, TcpState state);

// Those of this process, and of all others that its parent started, as a launcher starts the ranks of a host, that
// nobody has answered.
std::vector<TcpConnection> unanswered_connections();

// How often this host asked again for a connection that nobody had answered, in the text of the kernel's
// /proc/net/netstat; nothing where it does not tell.
std::optional<std::int64_t> asked_again_in(std::string_view netstat);

// The same, now. It costs much less than a look at the connections.
std::optional<std::int64_t> asked_again();

// Those that the processes hold which this one started.
std::vector<TcpConnection> connections_of_children();

}  // namespace muster::healthcheck
