// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/collective_kernels.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "benchmarks/collectives/element.hpp"
#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr std::size_t max_blocks = 2048;  // each thread takes several elements where there are more

unsigned blocks_for(std::size_t elements) {
  return static_cast<unsigned>(std::clamp<std::size_t>((elements + threads - 1) / threads, 1, max_blocks));
}

__device__ std::size_t first_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::size_t stride() { return std::size_t{gridDim.x} * blockDim.x; }

template <class Type>
__global__ void fill(typename Type::Bits* buffer, std::size_t elements, Pattern pattern, int rank) {
  for (std::size_t index = first_index(); index < elements; index += stride())
    buffer[index] = Type::bits(pattern.input(static_cast<std::uint64_t>(rank), index), 1);
}

template <class Type>
__global__ void verify(const typename Type::Bits* buffer, Collective collective, Shape shape, Pattern pattern, int rank,
                       int ranks, WrongOnDevice* wrong) {
  const auto parts = divisor(collective, ranks);
  for (std::size_t index = first_index(); index < shape.receive; index += stride()) {
    if (buffer[index] == Type::bits(expected(collective, shape, pattern, rank, ranks, index), parts)) continue;
    atomicAdd(&wrong->count, 1ULL);
    atomicMin(&wrong->first, static_cast<unsigned long long>(index));
  }
}

}  // namespace

void fill_on_device(void* buffer, std::size_t elements, DataType type, const Pattern& pattern, int rank,
                    cudaStream_t stream) {
  with_type(type, [&](auto element) {
    using Type = decltype(element);
    fill<Type><<<blocks_for(elements), threads, 0, stream>>>(static_cast<typename Type::Bits*>(buffer), elements,
                                                             pattern, rank);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

void verify_on_device(const void* buffer, const Collective& collective, const Shape& shape, const Pattern& pattern,
                      int rank, int ranks, WrongOnDevice* wrong, cudaStream_t stream) {
  with_type(collective.type, [&](auto element) {
    using Type = decltype(element);
    verify<Type><<<blocks_for(shape.receive), threads, 0, stream>>>(static_cast<const typename Type::Bits*>(buffer),
                                                                    collective, shape, pattern, rank, ranks, wrong);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

}  // namespace muster::benchmarks::cuda
