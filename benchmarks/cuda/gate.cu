// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/gate.hpp"

#include <cuda_runtime.h>

#include <atomic>
#include <cstdlib>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

__global__ void wait_for(const volatile unsigned* opened, unsigned turn) {
  while (*opened < turn) __nanosleep(100);
}

}  // namespace

void load_kernels_at_start() { setenv("CUDA_MODULE_LOADING", "EAGER", 1); }

Gate::Gate() {
  void* flag = nullptr;
  require_cuda(cudaHostAlloc(&flag, sizeof(unsigned), cudaHostAllocMapped), "cudaHostAlloc");
  opened_.reset(static_cast<unsigned*>(flag));
  *opened_ = 0;
}

Gate::Closed::Closed(Gate& gate, cudaStream_t stream) : gate_(gate) {
  void* seen = nullptr;
  require_cuda(cudaHostGetDevicePointer(&seen, gate.opened_.get(), 0), "cudaHostGetDevicePointer");
  wait_for<<<1, 1, 0, stream>>>(static_cast<const unsigned*>(seen), gate.closed_ + 1);
  require_cuda(cudaGetLastError(), "a kernel's start");
  ++gate.closed_;
}

Gate::Closed::~Closed() { std::atomic_ref(*gate_.opened_).store(gate_.closed_, std::memory_order_release); }

}  // namespace muster::benchmarks::cuda
