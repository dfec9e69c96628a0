// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/collectives/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "healthcheck/program/error.hpp"

namespace muster::healthcheck {
namespace {

std::optional<int> number_after(std::string_view word, std::string_view start) {
  if (!word.starts_with(start)) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(word.data() + start.size(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number < 1) return std::nullopt;
  return number;
}

// Which number a rank's host is, and which of its ranks it is.
struct RankPlacement {
  int host = 0;
  int on_host = 0;
};

std::vector<RankPlacement> seats(const std::vector<std::string>& hosts) {
  std::vector<std::string> names;
  std::map<std::string, int> taken;
  std::vector<RankPlacement> found;
  for (const auto& host : hosts) {
    if (!taken.contains(host)) names.push_back(host);
    const auto number = std::ranges::find(names, host) - names.begin();
    found.push_back({.host = static_cast<int>(number), .on_host = taken[host]++});
  }
  return found;
}

void expect_equal(const std::vector<int>& groups, std::string_view split) {
  std::map<int, int> sizes;
  for (const int group : groups) ++sizes[group];
  const auto [least, greatest] = std::ranges::minmax_element(sizes, {}, [](const auto& size) { return size.second; });
  if (least->second == greatest->second && least->second > 1) return;
  throw UsageError(
      fmt::format("--split {}: {} ranks would be groups of {} to {}; groups must be equal and have at least 2", split,
                  groups.size(), least->second, greatest->second));
}

std::string range_of(const std::set<std::size_t>& counts) {
  if (counts.size() == 1) return std::to_string(*counts.begin());
  return fmt::format("{}-{}", *counts.begin(), *counts.rbegin());
}

}  // namespace

std::vector<int> groups(std::string_view split, const std::vector<std::string>& hosts) {
  const auto modulo = number_after(split, "mod:");
  const auto divisor = number_after(split, "div:");
  if (split != "node" && split != "rail" && !modulo && !divisor)
    throw UsageError(fmt::format("--split {}: say node, rail, mod:N or div:N", split));
  const auto all = seats(hosts);
  std::vector<int> found;
  for (int rank = 0; rank < static_cast<int>(hosts.size()); ++rank) {
    const auto& seat = all[static_cast<std::size_t>(rank)];
    found.push_back(modulo ? rank % *modulo : divisor ? rank / *divisor : split == "node" ? seat.host : seat.on_host);
  }
  expect_equal(found, split);
  return found;
}

results::Labels span_labels(const std::vector<int>& groups, const std::vector<std::string>& hosts) {
  std::map<int, std::map<std::string, std::size_t>> ranks;  // by group and host
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) ++ranks[groups.empty() ? 0 : groups[rank]][hosts[rank]];
  std::set<std::size_t> hosts_of_groups;
  std::set<std::size_t> ranks_of_hosts;
  for (const auto& [group, by_host] : ranks) {
    hosts_of_groups.insert(by_host.size());
    for (const auto& [host, count] : by_host) ranks_of_hosts.insert(count);
  }
  return {{"hosts", range_of(hosts_of_groups)}, {"ranks_per_host", range_of(ranks_of_hosts)}};
}

RankGroup::RankGroup(const Context& context, const std::string& split)
    : all_(context.ranks()),
      groups_(split.empty() ? std::vector<int>() : healthcheck::groups(split, context.hosts())),
      extent_(healthcheck::span_labels(groups_, context.hosts())) {
  if (!groups_.empty()) own_ = all_.split(groups_[static_cast<std::size_t>(all_.rank())]);
}

}  // namespace muster::healthcheck
