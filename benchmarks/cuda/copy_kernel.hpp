// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace muster::benchmarks::cuda {

// Enqueues a kernel of the device that is set, which copies whole pairs of words between memories that it reaches.
// Throws Error when the stream refuses.
void copy_by_kernel(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

}  // namespace muster::benchmarks::cuda
