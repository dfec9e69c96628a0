// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tested_gpu.hpp"

#include <cuda_runtime.h>

#include <array>

#include "benchmarks/cuda/call.hpp"

namespace muster::tests {
namespace {

__global__ void flip(std::uint64_t* word, std::uint64_t bits) { *word ^= bits; }

}  // namespace

std::string first_gpu() {
  std::array<char, 32> address{};
  if (cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), 0) != cudaSuccess) return "";
  return address.data();
}

void flip_on_device(std::uint64_t* word, std::uint64_t bits) {
  flip<<<1, 1>>>(word, bits);
  benchmarks::cuda::require_cuda(cudaDeviceSynchronize(), "a kernel that flips bits");
}

}  // namespace muster::tests
