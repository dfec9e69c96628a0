// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::topology {

// "00000000,0000ffff,ffffffff" (words of 32 CPUs, the most significant first) -> 0 to 47, as NCCL reads it: at most
// 1024 CPUs, and a word may begin with 0x. Nothing when it is no such mask.
std::optional<std::vector<int>> cpus_of_mask(std::string_view mask);

// The mask of these CPUs in as many words as a machine of `cpu_count` CPUs has.
std::string cpu_mask(std::span<const int> cpus, int cpu_count);

}  // namespace muster::topology
