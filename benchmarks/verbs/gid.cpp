// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/gid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace muster::benchmarks::verbs {
namespace {

constexpr std::size_t mapped_bytes = 12;  // an IPv4 address in IPv6 is ::ffff:a.b.c.d (RFC 4291)

bool is_ipv4(const ibv_gid& gid) {
  constexpr std::array<std::uint8_t, mapped_bytes> mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::ranges::equal(mapped, std::span(gid.raw).first<mapped_bytes>());
}

int rank_of(const ibv_gid_entry& entry) {
  return (entry.gid_type == IBV_GID_TYPE_ROCE_V2 ? 2 : 0) + (is_ipv4(entry.gid) ? 1 : 0);
}

std::string type_of(const ibv_gid_entry& entry) {
  switch (entry.gid_type) {
    case IBV_GID_TYPE_ROCE_V2:
      return "RoCE v2";
    case IBV_GID_TYPE_ROCE_V1:
      return "RoCE v1";
    default:
      return "InfiniBand";
  }
}

std::string address_of(const ibv_gid& gid) {
  const std::span raw(gid.raw);
  if (is_ipv4(gid)) return fmt::format("IPv4 {}.{}.{}.{}", raw[12], raw[13], raw[14], raw[15]);
  std::string text = "GID ";
  for (std::size_t at = 0; at < raw.size(); at += 2)
    text += fmt::format("{}{:02x}{:02x}", at == 0 ? "" : ":", raw[at], raw[at + 1]);
  return text;
}

}  // namespace

std::vector<ibv_gid_entry> gid_table(ibv_context* device, std::uint32_t port, std::uint32_t length) {
  std::vector<ibv_gid_entry> table;
  for (std::uint32_t index = 0; index < length; ++index) {
    ibv_gid_entry entry{};
    if (ibv_query_gid_ex(device, port, index, &entry, 0) == 0)
      table.push_back(entry);  // an index that is not set is an error
  }
  return table;
}

std::optional<ChosenGid> choose_gid(std::span<const ibv_gid_entry> table, std::optional<std::size_t> index) {
  const auto best = index ? std::ranges::find(table, *index, &ibv_gid_entry::gid_index)
                          : std::ranges::max_element(table, {}, rank_of);
  if (best == table.end()) return std::nullopt;
  return ChosenGid{*best, fmt::format("index {}, {}, {}", best->gid_index, type_of(*best), address_of(best->gid))};
}

}  // namespace muster::benchmarks::verbs
