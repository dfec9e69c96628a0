// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace muster::benchmarks {

// Bytes per second, in one direction, of so many exchanges with another rank, which makes the same call. The first
// exchange, which may connect, is not among them.
std::vector<double> exchange_rates(int partner, std::size_t bytes, std::size_t exchanges);

}  // namespace muster::benchmarks
