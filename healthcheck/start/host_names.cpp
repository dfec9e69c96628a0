// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/start/host_names.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "healthcheck/program/error.hpp"
#include "healthcheck/start/host_ranges.hpp"
#include "results/strings/utf8.hpp"
#include "topology/devices/bus_id.hpp"
#include "topology/kernel/text_fields.hpp"

namespace muster::healthcheck {
namespace {

constexpr std::size_t max_shown_of_name = 100;  // bytes

[[noreturn]] void refuse_name(std::string_view word, std::string_view place) {
  throw UsageError(fmt::format("{}: '{}' is not a name of a host, such as gpu-1, gpu-1:8 (8 ranks) or gpu-[01-16]",
                               place, results::shortened(word, max_shown_of_name)));
}

// What becomes a word of ssh's command line.
bool is_word_for_ssh(std::string_view text) {
  const auto fits = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '.' || letter == '-' || letter == '_';
  };
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, fits);
}

bool is_address(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

// "fe80::1%eth0": another host, or none, elsewhere.
void refuse_address_of_one_link(std::string_view name, std::string_view place) {
  in6_addr address{};
  const std::string number(name.substr(0, name.find('%')));
  if (inet_pton(AF_INET6, number.c_str(), &address) == 1 && IN6_IS_ADDR_LINKLOCAL(&address))
    throw UsageError(fmt::format(
        "{}: '{}' is an IPv6 address of one link alone, by which hosts of a job do not know each other; give "
        "a name, or another address",
        place, results::shortened(name, max_shown_of_name)));
}

}  // namespace

NamedHost named_host(std::string_view word, std::string_view place) {
  constexpr std::string_view of_kubectl = "node/";
  auto rest = word.starts_with(of_kubectl) ? word.substr(of_kubectl.size()) : word;
  NamedHost host{.name = {}, .place = std::string(place)};
  if (const auto at = rest.find('@'); at != rest.npos) {
    host.user = rest.substr(0, at);
    rest = rest.substr(at + 1);
    if (!is_word_for_ssh(host.user)) refuse_name(word, place);
  }
  const auto colon = rest.find(':');
  if (colon != rest.npos && rest.find(':', colon + 1) != rest.npos) {
    host.name = rest;
    refuse_address_of_one_link(rest, place);
    if (!is_address(host.name)) refuse_name(word, place);
    return host;
  }
  host.name = rest.substr(0, colon);
  if (colon != rest.npos) host.slots = slots_from(rest.substr(colon + 1));
  if (colon != rest.npos && !host.slots)
    throw UsageError(fmt::format("{}: what follows ':' in '{}' is not a number of ranks; write NAME:RANKS", place,
                                 results::shortened(word, max_shown_of_name)));
  if (!is_word_for_ssh(host.name)) refuse_name(word, place);
  return host;
}

std::optional<std::size_t> slots_from(std::string_view text) {
  const bool is_number = text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
  const auto number = is_number ? topology::whole_number(text).value_or(0) : 0;
  return number > 0 ? std::optional(static_cast<std::size_t>(number)) : std::nullopt;
}

std::vector<NamedHost> hosts_of_list(std::string_view list, std::string_view place) {
  std::vector<NamedHost> hosts;
  for (const auto& word : expanded(list, place)) hosts.push_back(named_host(word, place));
  return hosts;
}

std::string same_name(std::string_view name) { return topology::lower_case(name); }

std::vector<std::string> distinct_names(const std::vector<NamedHost>& hosts, std::string_view source) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const auto& host : hosts)
    if (known.insert(same_name(host.name)).second) names.push_back(host.name);
  if (names.empty()) throw UsageError(fmt::format("{} names no host", source));
  return names;
}

}  // namespace muster::healthcheck
