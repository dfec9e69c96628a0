// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "benchmarks/cuda/handles.hpp"

namespace muster::benchmarks::cuda {

// All memory of a GPU that is free, but for a reserve, taken for a test.
class VacantMemory {
 public:
  // Makes the GPU at a PCI address this thread's device. Throws Error where CUDA does not show it, where others use it
  // alone, and where less is free than a test takes.
  explicit VacantMemory(const std::string& pci_address);

  std::span<std::byte> range() const { return {static_cast<std::byte*>(taken_.get()), bytes_}; }
  double all_bytes() const { return static_cast<double>(all_bytes_); }  // of the GPU
  std::size_t cache_bytes() const { return cache_bytes_; }              // the L2
  int device() const { return device_; }

  // Makes the stream write so much elsewhere that the cache holds nothing of the memory any more. Throws Error.
  void flush_cache(cudaStream_t stream) const;

 private:
  int device_;
  std::size_t all_bytes_ = 0;
  std::size_t cache_bytes_;
  CudaMemory elsewhere_;
  CudaMemory taken_;
  std::size_t bytes_ = 0;
};

// What the memory of this thread's device can carry, in B/s, and how that is known; nothing where the driver does not
// say. Throws Error. Source: two transfers for each clock of the memory, as wide as its bus.
struct MemoryLimit {
  double bytes_per_second = 0;
  std::string source;  // "2619 MHz x 2 x 5120 bits"
};
std::optional<MemoryLimit> memory_limit();

}  // namespace muster::benchmarks::cuda
