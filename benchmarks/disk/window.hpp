// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace muster::benchmarks::disk {

constexpr std::chrono::milliseconds min_window{5};

// How long a rate must be of, by how many transfers have come to their end: of a fast disk short, so that what disturbs
// it is in few rates of many; of a slow one long, so that it is not of one transfer more or less.
constexpr std::chrono::milliseconds window_of(std::uint64_t transfers) {
  if (transfers >= 64) return min_window;
  return std::chrono::milliseconds(transfers >= 16 ? 20 : 200);
}

}  // namespace muster::benchmarks::disk
