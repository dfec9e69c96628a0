// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <system_error>
#include <utility>

#include "healthcheck/program/deadline.hpp"

namespace muster::healthcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds answer_time{2};               // of one address
constexpr std::size_t max_waiting = std::size_t{64} * 1024;  // bytes in either direction

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// "10.0.0.4 172.17.0.1 127.0.0.1", loopback last.
std::string listed_addresses() {
  std::string routable;
  std::string loopback;
  for (const auto& own : own_addresses()) (own.is_loopback ? loopback : routable) += " " + own.address;
  return routable + loopback;
}

// The address is a number. Throws std::system_error.
Descriptor connected_to(const std::string& address, const std::string& port) {
  const auto found = numeric_address(address, port, SOCK_STREAM);
  if (!found) fail(EINVAL, address);
  try {
    return connected(*found, Clock::now() + answer_time);
  } catch (const std::system_error& error) {
    fail(error.code().value(), address);
  }
}

// A socket for connections at any port of this address; none, and errno, where it cannot be had.
Descriptor bound(const sockaddr& address) {
  Descriptor socket(::socket(address.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int off = 0;
  if (socket && address.sa_family == AF_INET6)
    setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);  // IPv4, too
  if (socket && bind(socket.number(), &address, length_of(address)) != 0) return {};
  return socket;
}

Descriptor bound_to(const std::string& address) {
  const auto found = numeric_address(address, "0", SOCK_STREAM);
  return found ? bound(*found->ai_addr) : Descriptor();
}

Descriptor bound_to_all() {
  auto socket = bound_to("::");
  return socket ? std::move(socket) : bound_to("0.0.0.0");
}

in_port_t port_of(const sockaddr& address) {
  return ntohs(address.sa_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

Descriptor connected(const addrinfo& address, Clock::time_point end) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) fail(errno, "no socket");
  const int on = 1;  // the end of a text does not wait until its beginning is acknowledged
  setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket.number(), address.ai_addr, address.ai_addrlen) == 0) return socket;
  if (errno != EINPROGRESS) fail(errno, "no connection");
  pollfd ready{.fd = socket.number(), .events = POLLOUT, .revents = 0};
  if (poll(&ready, 1, milliseconds_until(end)) == 0) fail(ETIMEDOUT, "no connection");
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) fail(errno, "no connection");
  if (error != 0) fail(error, "no connection");
  return socket;
}

void Connection::send(std::string_view line) {
  if (outgoing_.size() < max_waiting) outgoing_.append(line).append("\n");
  send_what_waits();
}

bool Connection::send_what_waits() {
  const auto sent = ::send(socket_.number(), outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) outgoing_.erase(0, static_cast<std::size_t>(sent));
  return sent >= 0 || errno == EAGAIN || errno == EINTR;
}

bool Connection::flush_until(Clock::time_point end) {
  while (send_what_waits() && !outgoing_.empty() && Clock::now() < end) {
    pollfd ready{.fd = socket_.number(), .events = POLLOUT, .revents = 0};
    poll(&ready, 1, milliseconds_until(end));
  }
  return outgoing_.empty();
}

std::vector<std::string> Connection::receive() {
  std::array<char, 4096> part{};
  ssize_t size = 0;  // stays so where 64 KiB came without an end of line: whoever that is, it is nobody for us
  while (incoming_.size() < max_waiting && (size = recv(socket_.number(), part.data(), part.size(), 0)) > 0)
    incoming_.append(part.data(), static_cast<std::size_t>(size));
  if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) ended_ = true;
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (auto end = incoming_.find('\n'); end != std::string::npos; end = incoming_.find('\n', start)) {
    lines.push_back(incoming_.substr(start, end - start));
    start = end + 1;
  }
  incoming_.erase(0, start);
  return lines;
}

void Connection::wait_until(Clock::time_point end) const {
  pollfd ready{.fd = socket_.number(), .events = POLLIN, .revents = 0};
  poll(&ready, 1, milliseconds_until(end));
}

Listener::Listener(const std::string& only) {
  socket_ = only.empty() ? bound_to_all() : bound_to(only);
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  auto* address = reinterpret_cast<sockaddr*>(&own);
  if (!socket_ || listen(socket_.number(), SOMAXCONN) != 0 || getsockname(socket_.number(), address, &length) != 0)
    fail(errno, "cannot listen for connections");
  address_ = std::to_string(port_of(*address)) + (only.empty() ? listed_addresses() : " " + only);
}

std::vector<Connection> Listener::accept() {
  std::vector<Connection> come;
  while (auto socket = Descriptor(accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)))
    come.emplace_back(std::move(socket));
  return come;
}

Connection connect(const std::string& address, std::string_view greeting, std::string_view welcome) {
  std::istringstream words(address);
  std::string port;
  words >> port;
  std::system_error problem(std::make_error_code(std::errc::address_not_available));
  for (std::string each; words >> each;) try {
      Connection connection(connected_to(each, port));
      connection.send(greeting);
      connection.wait_until(Clock::now() + answer_time);
      const auto answer = connection.receive();
      if (!answer.empty() && answer.front() == welcome) return connection;
      fail(ECONNREFUSED, each);
    } catch (const std::system_error& error) {
      problem = error;
    }
  throw std::system_error(problem);
}

}  // namespace muster::healthcheck
