// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace muster::benchmarks::mpi {

// Bytes per second, in one direction, of so many exchanges with another rank, which makes the same call. Each goes in
// two halves, one after the other, as a reduction and its result do: what delays messages costs an exchange as much.
// The first exchange, which may connect, is not among them.
std::vector<double> exchange_rates(int partner, std::size_t bytes, std::size_t exchanges);

}  // namespace muster::benchmarks::mpi
