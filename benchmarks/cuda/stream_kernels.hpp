// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "benchmarks/data/stream_numbers.hpp"

namespace muster::benchmarks::cuda {

// Elements of an array come in multiples of this.
inline constexpr std::size_t stream_tile = 4096;

// Three arrays in a device's memory.
struct StreamArrays {
  double* a = nullptr;
  double* b = nullptr;
  double* c = nullptr;
  std::size_t elements = 0;  // of each; less than 2^31
};

// Enqueues a kernel; dot and read add to `sum`, in the device's memory. Throws Error when the stream refuses.
void stream_on_device(StreamKernel kernel, const StreamArrays& arrays, std::uint32_t turn, double* sum,
                      cudaStream_t stream);

}  // namespace muster::benchmarks::cuda
