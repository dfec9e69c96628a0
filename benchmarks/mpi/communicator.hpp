// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "benchmarks/ranks/ranks.hpp"

namespace muster::benchmarks::mpi {

// What connects ranks that MPI made. Throws std::bad_cast for others.
MPI_Comm communicator(const Ranks& ranks);

}  // namespace muster::benchmarks::mpi
