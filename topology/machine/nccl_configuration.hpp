// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

// The topology file that NCCL would read on this machine, and who says so.
struct TopologyInUse {
  std::filesystem::path path;  // inside the root
  std::string told_by;         // "NCCL_TOPO_FILE", "etc/nccl.conf", ...
};

// By NCCL's own order: the variable (of a live machine's job, `variable`), etc/nccl.conf, nvidia-topologyd. Whether
// the file exists is another question; NCCL goes on without it.
std::optional<TopologyInUse> topology_in_use(const Sysfs& sysfs, const std::optional<std::string>& variable);

}  // namespace muster::topology
