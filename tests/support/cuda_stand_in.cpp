// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cuda_stand_in.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "benchmarks/cuda/gate.hpp"

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = std::make_unique<CUevent_st>().release();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const std::unique_ptr<CUevent_st> owned(event);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  *milliseconds = static_cast<float>((stop->passed - start->passed) * 1e3);
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  *memory = std::make_unique<std::byte[]>(bytes).release();
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  const std::unique_ptr<std::byte[]> owned(static_cast<std::byte*>(memory));
  return cudaSuccess;
}

namespace muster::benchmarks::cuda {

void load_kernels_at_start() {}

Gate::Gate() = default;
// A gate holds nothing back; it counts what keeps it closed.
Gate::Closed::Closed(Gate& gate, cudaStream_t) : gate_(gate) { ++gate_.closed_; }
Gate::Closed::~Closed() { --gate_.closed_; }

}  // namespace muster::benchmarks::cuda
