// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace muster::healthcheck {

// A list of more is a slip of the pen.
inline constexpr std::size_t max_hosts = 100'000;

// Slurm's short form, as `scontrol show hostnames` writes it out: "gpu-[0001-0003,7],login" -> gpu-0001, gpu-0002,
// gpu-0003, gpu-7, login. A blank parts names, too. Each name stands as often as in the list. Throws UsageError that
// begins with the place ("--hosts", "--hostfile hosts, line 3"), also where there are more than max_hosts.
std::vector<std::string> expanded(std::string_view list, std::string_view place);

}  // namespace muster::healthcheck
