// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace muster::benchmarks::mpi {

// Throws Error with MPI's own words when a call did not succeed.
void require_mpi(int result, std::string_view call);

}  // namespace muster::benchmarks::mpi
