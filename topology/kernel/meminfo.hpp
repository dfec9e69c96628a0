// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace muster::topology {

using Meminfo = std::map<std::string, double, std::less<>>;

// "MemTotal: 16 kB" -> MemTotal 16384 (bytes; counts without a unit as they are), from /proc/meminfo or a NUMA node's
// meminfo. Throws Error quoting a line that is not of that form.
Meminfo meminfo(std::string_view text);

}  // namespace muster::topology
