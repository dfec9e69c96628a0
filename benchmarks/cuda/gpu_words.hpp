// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "benchmarks/cuda/device_log.hpp"
#include "benchmarks/cuda/stopwatch.hpp"
#include "benchmarks/cuda/vacant_memory.hpp"
#include "benchmarks/cuda/word_kernels.hpp"
#include "benchmarks/data/word_memory.hpp"

namespace muster::benchmarks::cuda {

// The words of a GPU's memory, swept by kernels; nothing of them is copied to the host but what is wrong.
class GpuWords final : public WordMemory {
 public:
  // Throws Error. The memory must outlive it.
  explicit GpuWords(const VacantMemory& memory);

  std::size_t words() const override { return words_.count; }
  Sweep write(const WordPattern& pattern) override;
  Sweep verify(const WordPattern& pattern) override;
  Sweep invert(const WordPattern& pattern, Order order) override;
  std::uint64_t read_one(std::uint64_t index) override;
  void write_one(std::uint64_t index, std::uint64_t word) override;

 private:
  Sweep sweep(const std::function<void(MismatchLog*)>& enqueue);

  const VacantMemory& memory_;
  DeviceWords words_;
  Stopwatch stopwatch_;
  DeviceLog log_;
};

}  // namespace muster::benchmarks::cuda
