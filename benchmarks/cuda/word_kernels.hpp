// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "benchmarks/data/word_memory.hpp"

// Sweeps through words in a device's memory. All only enqueue, and throw Error when the stream refuses.
namespace muster::benchmarks::cuda {

// Words come in multiples of this.
inline constexpr std::size_t sweep_tile = 512;

struct DeviceWords {
  std::uint64_t* begin = nullptr;
  std::size_t count = 0;
};

// What sweeps found, in memory that the device can write; it begins as zeros.
struct MismatchLog {
  static constexpr std::size_t most = 16;  // that are noted, whichever come first
  unsigned long long count = 0;
  unsigned long long differing = 0;
  std::array<Mismatch, most> noted;
};

void write_on_device(const DeviceWords& words, const WordPattern& pattern, cudaStream_t stream);
void verify_on_device(const DeviceWords& words, const WordPattern& pattern, MismatchLog* log, cudaStream_t stream);
void invert_on_device(const DeviceWords& words, const WordPattern& pattern, Order order, MismatchLog* log,
                      cudaStream_t stream);
// Holds the words against as many others in the device's memory.
void compare_on_device(const DeviceWords& words, const std::uint64_t* expected, MismatchLog* log, cudaStream_t stream);

}  // namespace muster::benchmarks::cuda
