// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

// A stream of tests/support/cuda_on_host.cpp: everything is done at once, but messages that are on their way.
struct CUstream_st {  // NOLINT(readability-identifier-naming): CUDA's name
  std::vector<MPI_Request> pending;

  void finish() {
    MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE);
    pending.clear();
  }
};
