// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/connection.hpp"

#include <netinet/in.h>
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

}  // namespace

Descriptor connected(const addrinfo& address, Clock::time_point end) {
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) fail(errno, "no socket");
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

Listener::Listener() {
  sockaddr_in6 any{};
  any.sin6_family = AF_INET6;
  any.sin6_addr = in6addr_any;
  sockaddr_in any_of_4{};
  any_of_4.sin_family = AF_INET;
  auto* address = reinterpret_cast<sockaddr*>(&any);
  socket_ = Descriptor(::socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int off = 0;
  if (!socket_ || setsockopt(socket_.number(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0) {
    socket_ = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    address = reinterpret_cast<sockaddr*>(&any_of_4);
  }
  auto length = length_of(*address);
  if (!socket_ || bind(socket_.number(), address, length) != 0 || listen(socket_.number(), SOMAXCONN) != 0 ||
      getsockname(socket_.number(), address, &length) != 0)
    fail(errno, "cannot listen for connections");
  const auto port = address->sa_family == AF_INET6 ? any.sin6_port : any_of_4.sin_port;
  address_ = std::to_string(ntohs(port)) + listed_addresses();
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
