// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/kernel/sysfs.hpp"

namespace muster::topology {

inline constexpr std::string_view hyperv_pool_file = "var/lib/hyperv/.kvp_pool_3";

struct HypervPool {
  std::map<std::string, std::string, std::less<>> values;
  std::vector<std::string> problems;  // one sentence each; what was sound is in `values` all the same
  bool is_whole = true;               // else there may be more values than these
};

// Records of a 512-byte key and a 2048-byte value, each ended by its first NUL; what follows the NUL is left from older
// values and means nothing (Linux, tools/hv/hv_kvp_daemon.c).
HypervPool hyperv_pool(std::string_view bytes);

// What the host tells its guest: PhysicalHostName, VirtualMachineId ... Nothing when this is no guest of Hyper-V.
std::optional<HypervPool> hyperv_pool(const Sysfs& sysfs);

}  // namespace muster::topology
