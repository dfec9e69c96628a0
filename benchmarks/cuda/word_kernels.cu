// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/word_kernels.hpp"

#include <cuda_runtime.h>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

// One access of 16 bytes for each thread: on an H100 faster than loops of fewer threads.
constexpr unsigned threads = 256;
static_assert(sweep_tile == threads * sizeof(ulonglong2) / sizeof(std::uint64_t));

// The pair of words that a thread has, of tiles in either order.
__device__ std::size_t own_pair() { return std::size_t{blockIdx.x} * threads + threadIdx.x; }
__device__ std::size_t own_pair(Order order) {
  const auto tile = order == Order::up ? blockIdx.x : gridDim.x - 1 - blockIdx.x;
  return std::size_t{tile} * threads + threadIdx.x;
}

template <Filling filling>
__device__ ulonglong2 filled_pair(std::size_t pair, const WordPattern& pattern) {
  return {filled<filling>(2 * pair, pattern.seed) ^ pattern.flipped,
          filled<filling>(2 * pair + 1, pattern.seed) ^ pattern.flipped};
}

// Rare, and so kept out of the way of what is fast.
__device__ __noinline__ void note(MismatchLog* log, std::uint64_t index, std::uint64_t expected, std::uint64_t found) {
  const auto place = atomicAdd(&log->count, 1ULL);
  atomicOr(&log->differing, static_cast<unsigned long long>(expected ^ found));
  if (place < MismatchLog::most) log->noted[place] = {index, expected, found};
}

__device__ void compare(std::size_t pair, const ulonglong2& expected, const ulonglong2& found, MismatchLog* log) {
  if (expected.x != found.x) note(log, 2 * pair, expected.x, found.x);
  if (expected.y != found.y) note(log, 2 * pair + 1, expected.y, found.y);
}

template <Filling filling>
__global__ void write(ulonglong2* words, WordPattern pattern) {
  const auto pair = own_pair();
  words[pair] = filled_pair<filling>(pair, pattern);
}

template <Filling filling>
__global__ void verify(const ulonglong2* words, WordPattern pattern, MismatchLog* log) {
  const auto pair = own_pair();
  compare(pair, filled_pair<filling>(pair, pattern), words[pair], log);
}

template <Filling filling>
__global__ void invert(ulonglong2* words, WordPattern pattern, Order order, MismatchLog* log) {
  const auto pair = own_pair(order);
  const auto expected = filled_pair<filling>(pair, pattern);
  compare(pair, expected, words[pair], log);
  words[pair] = {~expected.x, ~expected.y};
}

__global__ void compare_words(const ulonglong2* words, const ulonglong2* expected, MismatchLog* log) {
  const auto pair = own_pair();
  compare(pair, expected[pair], words[pair], log);
}

ulonglong2* in_pairs(const DeviceWords& words) { return reinterpret_cast<ulonglong2*>(words.begin); }
unsigned blocks_for(const DeviceWords& words) { return static_cast<unsigned>(words.count / sweep_tile); }

}  // namespace

void write_on_device(const DeviceWords& words, const WordPattern& pattern, cudaStream_t stream) {
  with_filling(pattern.filling, [&]<Filling filling>() {
    write<filling><<<blocks_for(words), threads, 0, stream>>>(in_pairs(words), pattern);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

void verify_on_device(const DeviceWords& words, const WordPattern& pattern, MismatchLog* log, cudaStream_t stream) {
  with_filling(pattern.filling, [&]<Filling filling>() {
    verify<filling><<<blocks_for(words), threads, 0, stream>>>(in_pairs(words), pattern, log);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

void invert_on_device(const DeviceWords& words, const WordPattern& pattern, Order order, MismatchLog* log,
                      cudaStream_t stream) {
  with_filling(pattern.filling, [&]<Filling filling>() {
    invert<filling><<<blocks_for(words), threads, 0, stream>>>(in_pairs(words), pattern, order, log);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

void compare_on_device(const DeviceWords& words, const std::uint64_t* expected, MismatchLog* log, cudaStream_t stream) {
  compare_words<<<blocks_for(words), threads, 0, stream>>>(in_pairs(words),
                                                           reinterpret_cast<const ulonglong2*>(expected), log);
  require_cuda(cudaGetLastError(), "a kernel's start");
}

}  // namespace muster::benchmarks::cuda
