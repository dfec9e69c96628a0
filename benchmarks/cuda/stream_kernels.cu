// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/stream_kernels.hpp"

#include <cuda_runtime.h>

#include "benchmarks/cuda/block_sum.cuh"
#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned per_thread = 4;  // accesses of 16 bytes that are under way at once
constexpr unsigned tile = threads * per_thread;
constexpr int blocks_per_multiprocessor = 8;
static_assert(stream_tile == tile * sizeof(double2) / sizeof(double));

__device__ unsigned in_tile(unsigned access) { return access * threads + threadIdx.x; }

__global__ void write(double2* c, std::uint32_t turn) {
  const unsigned begin = blockIdx.x * tile;
  for (unsigned access = 0; access < per_thread; ++access) {
    const unsigned at = begin + in_tile(access);
    c[at] = {stream_value(2 * at, turn), stream_value(2 * at + 1, turn)};
  }
}

__global__ void copy(double2* __restrict__ b, const double2* __restrict__ c) {
  const unsigned begin = blockIdx.x * tile;
  double2 values[per_thread];
  for (unsigned access = 0; access < per_thread; ++access) values[access] = c[begin + in_tile(access)];
  for (unsigned access = 0; access < per_thread; ++access) b[begin + in_tile(access)] = values[access];
}

__global__ void triad(double2* __restrict__ a, const double2* __restrict__ b, const double2* __restrict__ c) {
  const unsigned begin = blockIdx.x * tile;
  double2 values[per_thread];
  for (unsigned access = 0; access < per_thread; ++access) {
    const unsigned at = begin + in_tile(access);
    values[access] = {b[at].x + triad_factor * c[at].x, b[at].y + triad_factor * c[at].y};
  }
  for (unsigned access = 0; access < per_thread; ++access) a[begin + in_tile(access)] = values[access];
}

// Adds what all threads of a block have.
__device__ void add_to(double* sum, double own) {
  const double of_block = sum_of_block<threads>(own);
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

__global__ void dot(const double2* __restrict__ a, const double2* __restrict__ b, unsigned tiles, double* sum) {
  double own = 0;
  for (unsigned taken = blockIdx.x; taken < tiles; taken += gridDim.x)
    for (unsigned access = 0; access < per_thread; ++access) {
      const unsigned at = taken * tile + in_tile(access);
      own += a[at].x * b[at].x + a[at].y * b[at].y;
    }
  add_to(sum, own);
}

__global__ void read(const double2* __restrict__ a, unsigned tiles, double* sum) {
  double own = 0;
  for (unsigned taken = blockIdx.x; taken < tiles; taken += gridDim.x)
    for (unsigned access = 0; access < per_thread; ++access) {
      const unsigned at = taken * tile + in_tile(access);
      own += a[at].x + a[at].y;
    }
  add_to(sum, own);
}

double2* in_pairs(double* values) { return reinterpret_cast<double2*>(values); }

}  // namespace

void stream_on_device(StreamKernel kernel, const StreamArrays& arrays, std::uint32_t turn, double* sum,
                      int multiprocessors, cudaStream_t stream) {
  auto* const a = in_pairs(arrays.a);
  auto* const b = in_pairs(arrays.b);
  auto* const c = in_pairs(arrays.c);
  const auto tiles = static_cast<unsigned>(arrays.elements / stream_tile);
  const auto summing = static_cast<unsigned>(multiprocessors * blocks_per_multiprocessor);
  switch (kernel) {
    case StreamKernel::write:
      write<<<tiles, threads, 0, stream>>>(c, turn);
      break;
    case StreamKernel::copy:
      copy<<<tiles, threads, 0, stream>>>(b, c);
      break;
    case StreamKernel::triad:
      triad<<<tiles, threads, 0, stream>>>(a, b, c);
      break;
    case StreamKernel::dot:
      dot<<<summing, threads, 0, stream>>>(a, b, tiles, sum);
      break;
    case StreamKernel::read:
      read<<<summing, threads, 0, stream>>>(a, tiles, sum);
      break;
  }
  require_cuda(cudaGetLastError(), "a kernel's start");
}

}  // namespace muster::benchmarks
