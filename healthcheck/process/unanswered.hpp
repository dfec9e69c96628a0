// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// A TCP connection that was asked for, and that the other host has neither taken nor refused so far.
struct Unanswered {
  std::string source;       // address of this host that it starts from
  std::string destination;  // address of the other
  std::string port;
  std::int64_t socket = 0;  // its inode

  bool operator==(const Unanswered&) const = default;
};

// Those in the text of the kernel's /proc/net/tcp or /proc/net/tcp6. Lines of another form are left out.
std::vector<Unanswered> unanswered_in(std::string_view table);

// Those of this process, and of all others that its parent started, as a launcher starts the ranks of a host.
std::vector<Unanswered> unanswered_connections();

}  // namespace muster::healthcheck
