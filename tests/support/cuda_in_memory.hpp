// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

// What gpu_memory, gpu_copy and gpu_compute need of CUDA, in the host's memory and done at once: GPUs at 0001:00:00.0
// and so on, with 2 MiB each, whose time is reckoned as that of an H100. MUSTER_FAULT breaks that of
// MUSTER_FAULT_DEVICE:
//
//   gpu_no_driver, gpu_hidden (CUDA_VISIBLE_DEVICES), gpu_exclusive, gpu_full, gpu_half_full, gpu_in_pieces,
//   gpu_slow (all kernels), gpu_slow_dot, gpu_too_fast,
//   gpu_stuck_bit, gpu_stuck_address, gpu_flipped_bit (once), gpu_misread (once), gpu_loses_writes (of streams),
//   gpu_uncorrectable, gpu_lost (both in the middle of the test), gpu_refuses (a call, but goes on),
//   gpu_slow_in, gpu_slow_out, gpu_slow_peers, gpu_slow_kernels, gpu_slow_latency (all of copies), gpu_miscopies_in,
//   gpu_miscopies_out, gpu_miscopies_to_peers, gpu_no_peers,
//   gpu_miscomputes (an element of every product), gpu_miscomputes_at_times, gpu_miscomputes_random (numbers alone),
//   gpu_misjudges_functions, gpu_missums, gpu_computes_slowly, gpu_computes_too_fast, gpu_without_fp8 (all GPUs),
//   gpu_hangs (in the middle of the test), gpu_of_another_model

struct CUstream_st {
  std::string device;  // its address
  double now = 0;      // in seconds
  int tasks = 0;
  bool fault_is_over = false;  // one that comes once
  cudaError_t failed = cudaSuccess;
};

namespace muster::tests {

inline constexpr std::size_t broken_word = 1234;
inline constexpr int broken_bit = 17;

std::string address_of(int device);

// Whether the device can still do something; each call is one more thing that it was asked to do.
bool works(cudaStream_t stream);

// Words in a device's memory, which may be broken.
class DeviceMemory {
 public:
  DeviceMemory(std::uint64_t* begin, const std::string& device);
  std::uint64_t load(std::uint64_t index) const { return begin_[index & lines_]; }
  void store(std::uint64_t index, std::uint64_t word) {
    begin_[index & lines_] = index == broken_word ? word & kept_ : word;
  }

 private:
  std::uint64_t* begin_;
  std::uint64_t kept_;   // bits of the broken word
  std::uint64_t lines_;  // of an address
};

// Copies between memories of host and devices, and says how long that takes.
double copied(void* to, const void* from, std::size_t bytes);

}  // namespace muster::tests
