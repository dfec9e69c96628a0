// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/tcp_connections.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "topology/kernel/processes.hpp"
#include "topology/kernel/sysfs.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::string_view start_of_socket = "socket:[";
constexpr std::string_view start_of_ipv4_as_ipv6 = "::ffff:";
constexpr std::size_t digits_of_word = 8;
constexpr std::size_t words_of_ipv6 = 4;

std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// "0100007F" is 127.0.0.1 where the least byte of a word comes first: the kernel prints words as this machine has them.
std::optional<std::string> address_in(std::string_view digits) {
  const bool is_ipv6 = digits.size() == words_of_ipv6 * digits_of_word;
  if (!is_ipv6 && digits.size() != digits_of_word) return std::nullopt;
  std::array<std::uint32_t, words_of_ipv6> bytes{};
  for (std::size_t index = 0; index * digits_of_word < digits.size(); ++index) {
    const auto word = hexadecimal(digits.substr(index * digits_of_word, digits_of_word));
    if (!word) return std::nullopt;
    bytes[index] = *word;
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (inet_ntop(is_ipv6 ? AF_INET6 : AF_INET, bytes.data(), text.data(), text.size()) == nullptr) return std::nullopt;
  std::string_view address = text.data();
  if (address.starts_with(start_of_ipv4_as_ipv6) && address.find('.') != address.npos)
    address.remove_prefix(start_of_ipv4_as_ipv6.size());
  return std::string(address);
}

// Inodes of the sockets that a process holds; none where it may not be looked at.
void add_sockets_of(const topology::Sysfs& live, const std::string& process, std::set<std::int64_t>& found) {
  const auto folder = "proc/" + process + "/fd";
  for (const auto& name : live.list(folder)) {
    const auto target = live.link(folder + "/" + name).value_or("");
    if (!target.starts_with(start_of_socket) || !target.ends_with(']')) continue;
    const auto digits = std::string_view(target).substr(start_of_socket.size());
    if (const auto inode = topology::whole_number(digits.substr(0, digits.size() - 1))) found.insert(*inode);
  }
}

// As the kernel's table has it.
std::string_view in_table(TcpState state) { return state == TcpState::established ? "01" : "02"; }

std::vector<TcpConnection> connections(const topology::Sysfs& live, TcpState state) {
  std::vector<TcpConnection> found;
  for (const char* table : {"proc/net/tcp", "proc/net/tcp6"})
    for (auto& each : connections_in(live.text(table).value_or(""), state)) found.push_back(std::move(each));
  return found;
}

void keep_those_below(std::vector<TcpConnection>& found, const topology::Sysfs& live, int ancestor,
                      std::set<std::int64_t> sockets) {
  for (const int pid : topology::descendants(topology::processes(live), ancestor))
    add_sockets_of(live, std::to_string(pid), sockets);
  std::erase_if(found, [&](const TcpConnection& each) { return !sockets.contains(each.socket); });
}

}  // namespace

std::vector<TcpConnection> connections_in(std::string_view table, TcpState state) {
  constexpr std::size_t place_of_inode = 9;
  std::vector<TcpConnection> found;
  for (const auto line : topology::lines(table)) {
    const auto fields = topology::words(line);
    if (fields.size() <= place_of_inode || fields[3] != in_table(state)) continue;
    const auto from = topology::key_value(fields[1], ':');
    const auto to = topology::key_value(fields[2], ':');
    const auto source = from ? address_in(from->first) : std::nullopt;
    const auto destination = to ? address_in(to->first) : std::nullopt;
    const auto port = to ? hexadecimal(to->second) : std::nullopt;
    const auto socket = topology::whole_number(fields[place_of_inode]);
    if (source && destination && port && socket)
      found.push_back(
          {.source = *source, .destination = *destination, .port = std::to_string(*port), .socket = *socket});
  }
  return found;
}

std::vector<TcpConnection> unanswered_connections() {
  const auto live = topology::Sysfs("/").quiet();
  auto found = connections(live, TcpState::unanswered);
  if (found.empty()) return found;
  std::set<std::int64_t> own;
  add_sockets_of(live, "self", own);
  keep_those_below(found, live, getppid(), std::move(own));
  return found;
}

std::optional<std::int64_t> asked_again_in(std::string_view netstat) {
  const auto lines = topology::lines(netstat);
  for (auto line = lines.begin(); line != lines.end() && std::next(line) != lines.end(); ++line) {
    const auto names = topology::words(*line);
    const auto values = topology::words(*std::next(line));
    const auto at = static_cast<std::size_t>(std::ranges::find(names, "TCPSynRetrans") - names.begin());
    if (at < names.size()) return at < values.size() ? topology::whole_number(values[at]) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::int64_t> asked_again() {
  return asked_again_in(topology::Sysfs("/").quiet().text("proc/net/netstat").value_or(""));
}

std::vector<TcpConnection> connections_of_children() {
  const auto live = topology::Sysfs("/").quiet();
  auto found = connections(live, TcpState::established);
  keep_those_below(found, live, getpid(), {});
  return found;
}

}  // namespace muster::healthcheck
