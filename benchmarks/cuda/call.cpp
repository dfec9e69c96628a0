// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/call.hpp"

#include <fmt/format.h>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::cuda {

void require_cuda(cudaError_t result, std::string_view call) {
  if (result != cudaSuccess) throw Error(fmt::format("{} failed: {}", call, cudaGetErrorString(result)));
}

void use_device(int device) { require_cuda(cudaSetDevice(device), "cudaSetDevice"); }

std::optional<std::string> trouble_of(int device) {
  try {
    use_device(device);
    require_cuda(cudaDeviceSynchronize(), "work on the GPU");
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace muster::benchmarks::cuda
