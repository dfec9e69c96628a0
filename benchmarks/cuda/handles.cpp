// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/handles.hpp"

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {

CudaMemory cuda_memory(std::size_t bytes) {
  void* memory = nullptr;
  require_cuda(cudaMalloc(&memory, bytes), "cudaMalloc");
  return CudaMemory(memory);
}

PinnedMemory pinned_memory(std::size_t bytes) {
  void* memory = nullptr;
  require_cuda(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable | cudaHostAllocMapped), "cudaHostAlloc");
  return PinnedMemory(memory);
}

Stream make_stream() {
  cudaStream_t stream = nullptr;
  require_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream);
}

Event make_event() {
  cudaEvent_t event = nullptr;
  require_cuda(cudaEventCreate(&event), "cudaEventCreate");
  return Event(event);
}

}  // namespace muster::benchmarks::cuda
