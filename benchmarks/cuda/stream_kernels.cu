// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/stream_kernels.hpp"

#include <cuda_runtime.h>

#include "benchmarks/cuda/block_sum.cuh"
#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

// One access of 16 bytes for each thread and array, and two where sums take time: on an H100 faster than loops of fewer
// threads.
constexpr unsigned threads = 1024;
constexpr unsigned summed = 2;
static_assert(stream_tile == summed * threads * sizeof(double2) / sizeof(double));

__device__ unsigned own_place() { return blockIdx.x * threads + threadIdx.x; }

__global__ void write(double2* c, std::uint32_t turn) {
  const unsigned at = own_place();
  c[at] = {stream_value(2 * at, turn), stream_value(2 * at + 1, turn)};
}

__global__ void copy(double2* __restrict__ b, const double2* __restrict__ c) {
  const unsigned at = own_place();
  b[at] = c[at];
}

__global__ void triad(double2* __restrict__ a, const double2* __restrict__ b, const double2* __restrict__ c) {
  const unsigned at = own_place();
  const double2 of_b = b[at];
  const double2 of_c = c[at];
  a[at] = {of_b.x + triad_factor * of_c.x, of_b.y + triad_factor * of_c.y};
}

// Adds term(index) of all that the threads of a block have.
template <class Term>
__device__ void add_to(double* sum, const Term& term) {
  double own = 0;
  for (unsigned access = 0; access < summed; ++access)
    own += term((blockIdx.x * summed + access) * threads + threadIdx.x);
  const double of_block = sum_of_block<threads>(own);
  if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

__global__ void dot(const double2* __restrict__ a, const double2* __restrict__ b, double* sum) {
  add_to(sum, [&](unsigned at) { return a[at].x * b[at].x + a[at].y * b[at].y; });
}

__global__ void read(const double2* __restrict__ a, double* sum) {
  add_to(sum, [&](unsigned at) { return a[at].x + a[at].y; });
}

double2* in_pairs(double* values) { return reinterpret_cast<double2*>(values); }

}  // namespace

void stream_on_device(StreamKernel kernel, const StreamArrays& arrays, std::uint32_t turn, double* sum,
                      cudaStream_t stream) {
  auto* const a = in_pairs(arrays.a);
  auto* const b = in_pairs(arrays.b);
  auto* const c = in_pairs(arrays.c);
  const auto tiles = static_cast<unsigned>(arrays.elements / stream_tile);
  const auto blocks = summed * tiles;
  switch (kernel) {
    case StreamKernel::write:
      write<<<blocks, threads, 0, stream>>>(c, turn);
      break;
    case StreamKernel::copy:
      copy<<<blocks, threads, 0, stream>>>(b, c);
      break;
    case StreamKernel::triad:
      triad<<<blocks, threads, 0, stream>>>(a, b, c);
      break;
    case StreamKernel::dot:
      dot<<<tiles, threads, 0, stream>>>(a, b, sum);
      break;
    case StreamKernel::read:
      read<<<tiles, threads, 0, stream>>>(a, sum);
      break;
  }
  require_cuda(cudaGetLastError(), "a kernel's start");
}

}  // namespace muster::benchmarks::cuda
