// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "benchmarks/collectives/collective.hpp"

// The data of a collective in a device's memory; nothing of it is copied to the host. Both only enqueue, and throw
// Error when the stream refuses.
namespace muster::benchmarks::cuda {

// Writes what a rank gives, as so many elements of the type.
void fill_on_device(void* buffer, std::size_t elements, DataType type, const Pattern& pattern, int rank,
                    cudaStream_t stream);

struct WrongOnDevice {
  unsigned long long count = 0;
  unsigned long long first = ~0ULL;  // its index
};

// Holds every element, bit by bit, against what must be there; adds to `wrong`, which the device can write.
void verify_on_device(const void* buffer, const Collective& collective, const Shape& shape, const Pattern& pattern,
                      int rank, int ranks, WrongOnDevice* wrong, cudaStream_t stream);

}  // namespace muster::benchmarks::cuda
