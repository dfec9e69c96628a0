// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "benchmarks/cublas/product.hpp"
#include "benchmarks/cuda/device.hpp"
#include "benchmarks/cuda/repeater.hpp"
#include "healthcheck/check/gpu_choice.hpp"
#include "healthcheck/parts/nvml/clocks_under_load.hpp"
#include "healthcheck/parts/nvml/nvml_probe.hpp"

namespace muster::healthcheck {

// A GPU that computes beside others: what it is given returns before it is done, and what is read of it must have been
// waited for. All throw benchmarks::Error.
class GpuComputer {
 public:
  // With room for products of this size. Throws where CUDA does not give it.
  GpuComputer(SelectedGpu gpu, std::size_t size);
  ~GpuComputer() = default;
  GpuComputer(const GpuComputer&) = delete;
  GpuComputer& operator=(const GpuComputer&) = delete;

  const SelectedGpu& chosen() const { return chosen_; }
  const NvmlProbe& asked() const { return asked_; }
  const benchmarks::cuda::Device& device() const { return device_; }
  ClocksUnderLoad& clocks() { return clocks_; }
  const ClocksUnderLoad& clocks() const { return clocks_; }
  const benchmarks::cuda::Repeater& results() const { return repeater_; }

  // Takes up something to compute, and does it once. Of products it may have none: then it rests until it takes up
  // something else.
  void take_up(std::unique_ptr<benchmarks::cuda::Computation> computation);
  void take_up(const benchmarks::ProductInput& input);
  bool has_work() const { return work_ != nullptr; }
  const benchmarks::cuda::Computation& work() const { return *work_; }
  // Adds up the rows of the result of whole numbers, see exact_product.hpp.
  void add_up(std::uint64_t seed);
  benchmarks::cublas::RowSums row_sums() const;

  void repeat(std::size_t times);
  // Until it rests; the seconds of each repetition. Throws benchmarks::cuda::NoAnswer.
  std::vector<double> wait();

 private:
  SelectedGpu chosen_;
  NvmlProbe asked_;
  ClocksUnderLoad clocks_;
  benchmarks::cuda::Device device_;
  benchmarks::cublas::ProductMemory memory_;
  benchmarks::cuda::Repeater repeater_;
  std::unique_ptr<benchmarks::cublas::MatrixProduct> way_;
  std::unique_ptr<benchmarks::cublas::Product> product_;
  std::unique_ptr<benchmarks::cuda::Computation> other_;
  benchmarks::cuda::Computation* work_ = nullptr;
};

}  // namespace muster::healthcheck
