// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netdb.h>
#include <sys/socket.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/handle.hpp"

namespace muster::healthcheck {

using Addresses = benchmarks::Handle<addrinfo, freeaddrinfo>;

// An address and a port that are numbers, for a socket of this type (SOCK_STREAM); nothing where they are not.
Addresses numeric_address(const std::string& address, const std::string& port, int type);

// An IPv4 or IPv6 address of an interface of this host that is up.
struct OwnAddress {
  std::string interface;  // "eth0"
  std::string address;    // "10.0.0.4", "fd00::4"
  bool is_loopback = false;
  std::string network = {};  // that it is in, by its mask: "10.0.0.4/24"

  bool operator==(const OwnAddress&) const = default;
};

// Those that another host could mean this one by, in the kernel's order: addresses of one link alone (fe80::1%eth0)
// mean another host there. Throws std::system_error.
std::vector<OwnAddress> own_addresses();

// Whether an address is one of these.
bool is_own(std::span<const OwnAddress> own, const std::string& address);

// The network of this host's address of IPv4 in which all the others lie, as neighbours that answer for addresses of
// their own; nothing where some do not.
std::optional<std::string> network_of_neighbours(std::span<const OwnAddress> own, const std::string& address,
                                                 std::span<const std::string> others);

// In bytes, of an address of IPv4 or IPv6.
socklen_t length_of(const sockaddr& address);

// "10.0.0.4"; empty where it is no address of IP.
std::string number_of(const sockaddr& address);

// Whether an address lies in a network: 10.0.0.4 in "10.0.0.0/8". False where one of them is not one.
bool lies_in(const std::string& address, std::string_view network);

// The address that packets from this host to that one would come from, by the kernel's routes; nothing is sent. Nothing
// where there is no route, or the text is not an address.
std::optional<std::string> source_towards(const std::string& address);

// Where the routes to all of these begin, if that is one address; empty where it is not.
std::string only_source_towards(std::span<const std::string> addresses);

}  // namespace muster::healthcheck
