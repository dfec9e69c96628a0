// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "healthcheck/process/addresses.hpp"
#include "healthcheck/program/descriptor.hpp"

namespace muster::healthcheck {

// A socket that does not block, connected with the address before the end. Throws std::system_error with the system's
// reason.
Descriptor connected(const addrinfo& address, std::chrono::steady_clock::time_point end);

// Lines of text over TCP, in both directions. Only calls with an end wait.
class Connection {
 public:
  // The socket must not block.
  explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}

  // A line is dropped when nobody reads and 64 KiB of lines wait.
  void send(std::string_view line);
  // Until nothing waits to be sent any more, or the other end is closed; whether all was sent.
  bool flush_until(std::chrono::steady_clock::time_point end);
  // The lines that have come.
  std::vector<std::string> receive();
  // Until something has come, or the other end is closed.
  void wait_until(std::chrono::steady_clock::time_point end) const;
  // Whether the other end is closed, and everything that came from it was received.
  bool ended() const { return ended_; }
  // What can be read once something has come.
  int descriptor() const { return socket_.number(); }

 private:
  // False where nothing can be sent any more.
  bool send_what_waits();

  Descriptor socket_;
  std::string incoming_;
  std::string outgoing_;
  bool ended_ = false;
};

// Where connections come in.
class Listener {
 public:
  // At one address of this host, or at all where it is empty. Throws std::system_error.
  explicit Listener(const std::string& only);

  // "4711 10.0.0.4 172.17.0.1 127.0.0.1": the port, and the addresses, loopback last.
  const std::string& address() const { return address_; }
  // Those that have come since.
  std::vector<Connection> accept();
  // What can be read once one has come.
  int descriptor() const { return socket_.number(); }

 private:
  Descriptor socket_;
  std::string address_;
};

// To a listener of which the first line that comes back is the welcome for this greeting; addresses are tried one after
// the other. Throws std::system_error with what became of the last one.
Connection connect(const std::string& address, std::string_view greeting, std::string_view welcome);

}  // namespace muster::healthcheck
