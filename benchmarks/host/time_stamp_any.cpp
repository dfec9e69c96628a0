// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/time_stamp.hpp"

namespace muster::benchmarks::host {

std::optional<std::uint64_t> time_stamp() { return std::nullopt; }

}  // namespace muster::benchmarks::host
