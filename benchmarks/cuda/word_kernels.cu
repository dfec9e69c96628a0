// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/word_kernels.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned per_thread = 4;  // accesses of 16 bytes that are under way at once
constexpr unsigned tile = threads * per_thread;
constexpr std::size_t blocks_per_multiprocessor = 8;
static_assert(sweep_tile == tile * sizeof(ulonglong2) / sizeof(std::uint64_t));

// The pairs of words that a thread has of a tile.
__device__ std::size_t pair_at(std::size_t taken, unsigned access) {
  return taken * tile + access * threads + threadIdx.x;
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
__global__ void write(ulonglong2* words, std::size_t tiles, WordPattern pattern) {
  for (std::size_t taken = blockIdx.x; taken < tiles; taken += gridDim.x)
    for (unsigned access = 0; access < per_thread; ++access) {
      const auto pair = pair_at(taken, access);
      words[pair] = filled_pair<filling>(pair, pattern);
    }
}

template <Filling filling>
__global__ void verify(const ulonglong2* words, std::size_t tiles, WordPattern pattern, MismatchLog* log) {
  for (std::size_t taken = blockIdx.x; taken < tiles; taken += gridDim.x) {
    ulonglong2 found[per_thread];
    for (unsigned access = 0; access < per_thread; ++access) found[access] = words[pair_at(taken, access)];
    for (unsigned access = 0; access < per_thread; ++access) {
      const auto pair = pair_at(taken, access);
      compare(pair, filled_pair<filling>(pair, pattern), found[access], log);
    }
  }
}

template <Filling filling>
__global__ void invert(ulonglong2* words, std::size_t tiles, WordPattern pattern, Order order, MismatchLog* log) {
  for (std::size_t turn = blockIdx.x; turn < tiles; turn += gridDim.x) {
    const auto taken = order == Order::up ? turn : tiles - 1 - turn;
    ulonglong2 found[per_thread];
    for (unsigned access = 0; access < per_thread; ++access) found[access] = words[pair_at(taken, access)];
    for (unsigned access = 0; access < per_thread; ++access) {
      const auto pair = pair_at(taken, access);
      const auto expected = filled_pair<filling>(pair, pattern);
      compare(pair, expected, found[access], log);
      words[pair] = {~expected.x, ~expected.y};
    }
  }
}

__global__ void compare_words(const ulonglong2* words, std::size_t tiles, const ulonglong2* expected,
                              MismatchLog* log) {
  for (std::size_t taken = blockIdx.x; taken < tiles; taken += gridDim.x)
    for (unsigned access = 0; access < per_thread; ++access) {
      const auto pair = pair_at(taken, access);
      compare(pair, expected[pair], words[pair], log);
    }
}

ulonglong2* in_pairs(const DeviceWords& words) { return reinterpret_cast<ulonglong2*>(words.begin); }
std::size_t tiles_of(const DeviceWords& words) { return words.count / sweep_tile; }
unsigned blocks_for(const DeviceWords& words) {
  return static_cast<unsigned>(
      std::min(tiles_of(words), blocks_per_multiprocessor * static_cast<std::size_t>(words.multiprocessors)));
}

}  // namespace

void write_on_device(const DeviceWords& words, const WordPattern& pattern, cudaStream_t stream) {
  with_filling(pattern.filling, [&]<Filling filling>() {
    write<filling><<<blocks_for(words), threads, 0, stream>>>(in_pairs(words), tiles_of(words), pattern);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

void verify_on_device(const DeviceWords& words, const WordPattern& pattern, MismatchLog* log, cudaStream_t stream) {
  with_filling(pattern.filling, [&]<Filling filling>() {
    verify<filling><<<blocks_for(words), threads, 0, stream>>>(in_pairs(words), tiles_of(words), pattern, log);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

void invert_on_device(const DeviceWords& words, const WordPattern& pattern, Order order, MismatchLog* log,
                      cudaStream_t stream) {
  with_filling(pattern.filling, [&]<Filling filling>() {
    invert<filling><<<blocks_for(words), threads, 0, stream>>>(in_pairs(words), tiles_of(words), pattern, order, log);
  });
  require_cuda(cudaGetLastError(), "a kernel's start");
}

void compare_on_device(const DeviceWords& words, const std::uint64_t* expected, MismatchLog* log, cudaStream_t stream) {
  compare_words<<<blocks_for(words), threads, 0, stream>>>(in_pairs(words), tiles_of(words),
                                                           reinterpret_cast<const ulonglong2*>(expected), log);
  require_cuda(cudaGetLastError(), "a kernel's start");
}

}  // namespace muster::benchmarks
