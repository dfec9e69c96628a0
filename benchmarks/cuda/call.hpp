// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

namespace muster::benchmarks {

// Throws Error with CUDA's own words when a call did not succeed.
void require_cuda(cudaError_t result, std::string_view call);

}  // namespace muster::benchmarks
