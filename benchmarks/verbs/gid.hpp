// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muster::benchmarks::verbs {

// The GIDs of a port that are set, of so many, with their index and type.
std::vector<ibv_gid_entry> gid_table(ibv_context* device, std::uint32_t port, std::uint32_t length);

struct ChosenGid {
  ibv_gid_entry entry{};
  std::string reason;  // "index 3, RoCE v2, IPv4 10.9.9.1"
};

// The one that a connection should use: for RoCE version 2 before 1, and IPv4 before other addresses; for InfiniBand
// the first. Of an index that is given, the one that has it. Nothing when there is none.
std::optional<ChosenGid> choose_gid(std::span<const ibv_gid_entry> table,
                                    std::optional<std::size_t> index = std::nullopt);

}  // namespace muster::benchmarks::verbs
