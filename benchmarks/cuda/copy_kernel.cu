// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/copy_kernel.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr unsigned threads = 512;
constexpr unsigned per_thread = 4;       // accesses of 16 bytes that are under way at once
constexpr std::size_t max_blocks = 128;  // a link is slower than a few multiprocessors

__global__ void copy(ulonglong2* __restrict__ to, const ulonglong2* __restrict__ from, std::size_t pairs) {
  const std::size_t tile = std::size_t{threads} * per_thread;
  for (std::size_t begin = blockIdx.x * tile; begin < pairs; begin += gridDim.x * tile) {
    ulonglong2 words[per_thread];
    for (unsigned access = 0; access < per_thread; ++access) {
      const auto at = begin + access * threads + threadIdx.x;
      if (at < pairs) words[access] = from[at];
    }
    for (unsigned access = 0; access < per_thread; ++access) {
      const auto at = begin + access * threads + threadIdx.x;
      if (at < pairs) to[at] = words[access];
    }
  }
}

}  // namespace

void copy_by_kernel(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const std::size_t pairs = bytes / sizeof(ulonglong2);
  const auto blocks = std::clamp<std::size_t>(pairs / (std::size_t{threads} * per_thread), 1, max_blocks);
  copy<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(static_cast<ulonglong2*>(to),
                                                              static_cast<const ulonglong2*>(from), pairs);
  require_cuda(cudaGetLastError(), "a kernel's start");
}

}  // namespace muster::benchmarks::cuda
