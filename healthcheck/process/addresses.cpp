// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/process/addresses.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>

#include "healthcheck/program/descriptor.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

using Interfaces = benchmarks::Handle<ifaddrs, freeifaddrs>;

// The bytes of an address in the order of the network: 4 of IPv4, 16 of IPv6, none where it is not an address.
std::vector<unsigned char> bytes_of(const std::string& address) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return {bytes.begin(), bytes.begin() + sizeof(in_addr)};
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return {bytes.begin(), bytes.end()};
  return {};
}

constexpr const char* any_port = "9";  // of UDP, where a connection is only a choice of route

// "24", of the mask 255.255.255.0.
int bits_of(const sockaddr& mask) {
  int bits = 0;
  for (const auto byte : bytes_of(number_of(mask))) bits += std::popcount(byte);
  return bits;
}

}  // namespace

socklen_t length_of(const sockaddr& address) {
  return address.sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

Addresses numeric_address(const std::string& address, const std::string& port, int type) {
  addrinfo wanted{};
  wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  wanted.ai_socktype = type;
  addrinfo* found = nullptr;
  return Addresses(getaddrinfo(address.c_str(), port.c_str(), &wanted, &found) == 0 ? found : nullptr);
}

std::string number_of(const sockaddr& address) {
  if (address.sa_family != AF_INET && address.sa_family != AF_INET6) return {};
  std::array<char, NI_MAXHOST> text{};
  if (getnameinfo(&address, length_of(address), text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) return {};
  return text.data();
}

std::vector<OwnAddress> own_addresses() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot list the network interfaces");
  const Interfaces interfaces(first);
  std::vector<OwnAddress> found;
  for (const auto* each = first; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || (each->ifa_flags & IFF_UP) == 0) continue;
    const auto number = number_of(*each->ifa_addr);
    if (!number.empty() && number.find('%') == std::string::npos)
      found.push_back(
          {.interface = each->ifa_name,
           .address = number,
           .is_loopback = (each->ifa_flags & IFF_LOOPBACK) != 0,
           .network = each->ifa_netmask == nullptr ? "" : fmt::format("{}/{}", number, bits_of(*each->ifa_netmask))});
  }
  return found;
}

std::optional<std::string> network_of_neighbours(std::span<const OwnAddress> own, const std::string& address,
                                                 std::span<const std::string> others) {
  const auto found = std::ranges::find(own, address, &OwnAddress::address);
  const auto is_neighbour = [&](const std::string& other) { return lies_in(other, found->network); };
  if (found == own.end() || found->is_loopback || address.find(':') != std::string::npos ||
      !std::ranges::all_of(others, is_neighbour))
    return std::nullopt;
  return found->network;
}

bool is_own(std::span<const OwnAddress> own, const std::string& address) {
  return std::ranges::find(own, address, &OwnAddress::address) != own.end();
}

bool lies_in(const std::string& address, std::string_view network) {
  const auto slash = network.find('/');
  if (slash == std::string_view::npos) return false;
  const auto own = bytes_of(address);
  const auto first = bytes_of(std::string(network.substr(0, slash)));
  const auto bits = topology::whole_number(network.substr(slash + 1));
  if (own.empty() || own.size() != first.size() || !bits || *bits < 0 ||
      *bits > static_cast<std::int64_t>(8 * own.size()))
    return false;
  const auto whole = static_cast<std::size_t>(*bits / 8);
  const auto rest = static_cast<unsigned>(*bits % 8);
  if (!std::equal(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(whole), first.begin())) return false;
  return rest == 0 || (own[whole] ^ first[whole]) >> (8 - rest) == 0;
}

std::optional<std::string> source_towards(const std::string& address) {
  const auto found = numeric_address(address, any_port, SOCK_DGRAM);
  if (!found) return std::nullopt;
  const Descriptor socket(::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_storage source{};
  socklen_t length = sizeof source;
  auto* own = reinterpret_cast<sockaddr*>(&source);
  if (!socket || ::connect(socket.number(), found->ai_addr, found->ai_addrlen) != 0 ||
      getsockname(socket.number(), own, &length) != 0)
    return std::nullopt;
  return number_of(*own);
}

std::string only_source_towards(std::span<const std::string> addresses) {
  std::optional<std::string> only;
  for (const auto& address : addresses) {
    const auto source = source_towards(address);
    if (!source || (only && *only != *source)) return {};
    only = source;
  }
  return only.value_or("");
}

}  // namespace muster::healthcheck
