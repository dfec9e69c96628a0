// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace muster::results {

// " Did you mean 'host_memory'?" for the known words that end with it, as "host_memory.bandwidth" with "bandwidth",
// else for the nearest, else for the first few that hold it; empty when there are none.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace muster::results
