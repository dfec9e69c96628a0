// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace muster::benchmarks::cuda {

// What all threads of a block have, added up always in the same order. The first thread has it when this returns; every
// thread must call it. `threads` is a multiple of 32, the size of a warp.
template <unsigned threads>
__device__ double sum_of_block(double own) {
  constexpr unsigned warp = 32;
  __shared__ double of_warps[threads / warp];
  for (unsigned distance = warp / 2; distance > 0; distance /= 2) own += __shfl_down_sync(~0U, own, distance);
  if (threadIdx.x % warp == 0) of_warps[threadIdx.x / warp] = own;
  __syncthreads();
  double of_block = 0;
  if (threadIdx.x == 0)
    for (const double of_warp : of_warps) of_block += of_warp;
  return of_block;
}

}  // namespace muster::benchmarks::cuda
