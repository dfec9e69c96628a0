// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "benchmarks/handle.hpp"

// What CUDA makes and wants back. All are of the device that is set when they are made, and throw Error.
namespace muster::benchmarks::cuda {

using Stream = Handle<CUstream_st, cudaStreamDestroy>;
using CudaMemory = Handle<void, cudaFree>;
using PinnedMemory = Handle<void, cudaFreeHost>;
using Event = Handle<CUevent_st, cudaEventDestroy>;

CudaMemory cuda_memory(std::size_t bytes);
// Of the host, near the CPU that asks, where every device reaches it.
PinnedMemory pinned_memory(std::size_t bytes);
// A stream that waits for no other.
Stream make_stream();
// An event that tells the time at which it was passed.
Event make_event();

}  // namespace muster::benchmarks::cuda
