// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "benchmarks/cuda/stopwatch.hpp"
#include "benchmarks/cuda/stream_kernels.hpp"
#include "benchmarks/cuda/vacant_memory.hpp"

namespace muster::benchmarks::cuda {

// How fast kernels stream through a GPU's memory, each time through another part of it.
class GpuStreams {
 public:
  // Throws Error. The memory must outlive it.
  explicit GpuStreams(const VacantMemory& memory);

  std::size_t array_bytes() const;
  // B/s of each kernel, by number, run once. Throws Error.
  std::array<double, stream_kernels.size()> cycle();
  // How many sums were not what they had to be, so far.
  std::size_t wrong_sums() const { return wrong_sums_; }

 private:
  StreamArrays arrays(std::size_t place) const;

  const VacantMemory& memory_;
  std::size_t elements_;
  std::size_t places_;
  Stopwatch stopwatch_;
  CudaMemory sums_;
  std::uint32_t turn_ = 0;
  std::size_t wrong_sums_ = 0;
};

}  // namespace muster::benchmarks::cuda
