// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/verbs.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muster::benchmarks {

// The GIDs of a port that are set, with their index and type.
std::vector<ibv_gid_entry> gid_table(ibv_context* device, int port);

struct ChosenGid {
  ibv_gid_entry entry{};
  std::string reason;  // "index 3, RoCE v2, IPv4 10.9.9.1"
};

// The one that a connection should use: for RoCE version 2 before 1, and IPv4 before other addresses; for InfiniBand
// the first. Nothing when there are none.
std::optional<ChosenGid> choose_gid(std::span<const ibv_gid_entry> table);

}  // namespace muster::benchmarks
