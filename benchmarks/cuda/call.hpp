// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <string>
#include <string_view>

namespace muster::benchmarks::cuda {

// Throws Error with CUDA's own words when a call did not succeed.
void require_cuda(cudaError_t result, std::string_view call);

// Makes it this thread's device. Throws Error.
void use_device(int device);

// What keeps a device from coming to rest, in CUDA's words; nothing where it does.
std::optional<std::string> trouble_of(int device);

}  // namespace muster::benchmarks::cuda
