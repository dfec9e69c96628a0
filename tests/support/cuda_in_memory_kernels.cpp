// SPDX-License-Identifier: Apache-2.0
// What kernels do.
#include "tests/support/cuda_in_memory.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "benchmarks/cuda/copy_kernel.hpp"
#include "benchmarks/cuda/stream_kernels.hpp"
#include "benchmarks/cuda/word_kernels.hpp"
#include "tests/support/injected.hpp"
#include "tests/support/tested_gpu.hpp"

namespace muster {
namespace {

using tests::broken_bit;
using tests::broken_word;
using tests::DeviceMemory;
using tests::is_injected;

constexpr double memory_rate = 3.352e12 * 0.89;  // of an H100 80GB HBM3 by kernels

// One sweep of so many ways through the words; false where the device has failed.
bool sweeps(const benchmarks::cuda::DeviceWords& words, int ways, cudaStream_t stream) {
  stream->now += ways * static_cast<double>(words.count * sizeof(std::uint64_t)) / memory_rate;
  return tests::works(stream);
}

void compare(std::uint64_t index, std::uint64_t expected, std::uint64_t found, benchmarks::cuda::MismatchLog& log) {
  if (found == expected) return;
  if (log.count < benchmarks::cuda::MismatchLog::most) log.noted.at(log.count) = {index, expected, found};
  ++log.count;
  log.differing |= expected ^ found;
}

}  // namespace

namespace benchmarks::cuda {

void write_on_device(const DeviceWords& words, const WordPattern& pattern, cudaStream_t stream) {
  if (!sweeps(words, 1, stream)) return;
  DeviceMemory memory(words.begin, stream->device);
  for (std::uint64_t index = 0; index < words.count; ++index) memory.store(index, pattern.word(index));
  if (!is_injected("gpu_flipped_bit", stream->device) || std::exchange(stream->fault_is_over, true)) return;
  memory.store(broken_word, memory.load(broken_word) ^ std::uint64_t{1} << broken_bit);
}

void verify_on_device(const DeviceWords& words, const WordPattern& pattern, MismatchLog* log, cudaStream_t stream) {
  if (!sweeps(words, 1, stream)) return;
  const DeviceMemory memory(words.begin, stream->device);
  for (std::uint64_t index = 0; index < words.count; ++index)
    compare(index, pattern.word(index), memory.load(index), *log);
  if (is_injected("gpu_misread", stream->device) && !std::exchange(stream->fault_is_over, true))
    compare(broken_word, pattern.word(broken_word), pattern.word(broken_word) ^ 1, *log);
}

void invert_on_device(const DeviceWords& words, const WordPattern& pattern, Order order, MismatchLog* log,
                      cudaStream_t stream) {
  if (!sweeps(words, 2, stream)) return;
  DeviceMemory memory(words.begin, stream->device);
  for (std::uint64_t turn = 0; turn < words.count; ++turn) {
    const auto index = order == Order::up ? turn : words.count - 1 - turn;
    compare(index, pattern.word(index), memory.load(index), *log);
    memory.store(index, ~pattern.word(index));
  }
}

void compare_on_device(const DeviceWords& words, const std::uint64_t* expected, MismatchLog* log, cudaStream_t) {
  for (std::uint64_t index = 0; index < words.count; ++index) compare(index, expected[index], words.begin[index], *log);
}

void stream_on_device(StreamKernel kernel, const StreamArrays& arrays, std::uint32_t turn, double* sum,
                      cudaStream_t stream) {
  double rate = memory_rate;
  if (is_injected("gpu_slow", stream->device)) rate *= 0.7;
  if (is_injected("gpu_slow_dot", stream->device) && kernel == StreamKernel::dot) rate *= 0.7;
  if (is_injected("gpu_too_fast", stream->device)) rate *= 2;
  stream->now += static_cast<double>(arrays_moved(kernel) * arrays.elements * sizeof(double)) / rate;
  const bool is_lost = is_injected("gpu_loses_writes", stream->device) && turn > 0;
  for (std::uint32_t index = 0; index < arrays.elements; ++index) switch (kernel) {
      case StreamKernel::write:
        if (!is_lost || index != broken_word) arrays.c[index] = stream_value(index, turn);
        break;
      case StreamKernel::copy:
        arrays.b[index] = arrays.c[index];
        break;
      case StreamKernel::triad:
        arrays.a[index] = arrays.b[index] + triad_factor * arrays.c[index];
        break;
      case StreamKernel::dot:
        *sum += arrays.a[index] * arrays.b[index];
        break;
      case StreamKernel::read:
        *sum += arrays.a[index];
        break;
    }
}

void copy_by_kernel(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const double slowness = is_injected("gpu_slow_kernels", stream->device) ? 2 : 1;
  if (tests::works(stream)) stream->now += slowness * tests::copied(to, from, bytes);
}

}  // namespace benchmarks::cuda

namespace tests {

std::string first_gpu() { return address_of(1); }
void flip_on_device(std::uint64_t* word, std::uint64_t bits) { *word ^= bits; }

}  // namespace tests

}  // namespace muster
