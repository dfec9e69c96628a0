// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace muster::benchmarks::host {

// The time stamp counter of the CPU that the calling thread runs on, in ticks; nothing where a program may read none.
std::optional<std::uint64_t> time_stamp();

}  // namespace muster::benchmarks::host
