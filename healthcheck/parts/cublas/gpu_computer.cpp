// SPDX-License-Identifier: Apache-2.0
#include "healthcheck/parts/cublas/gpu_computer.hpp"

#include <chrono>
#include <utility>

#include "benchmarks/cuda/call.hpp"

namespace muster::healthcheck {
namespace {

namespace cuda = benchmarks::cuda;

constexpr auto answer_timeout = std::chrono::seconds(20);  // with what takes a second, or a few where fp64 is slow

cuda::Device used(int device) {
  cuda::use_device(device);
  return cuda::described(device);
}

}  // namespace

GpuComputer::GpuComputer(SelectedGpu gpu, std::size_t size)
    : chosen_(std::move(gpu)),
      asked_(chosen_.address),
      clocks_(asked_),
      device_(used(cuda::device_at(chosen_.address))),
      memory_(size),
      repeater_(cuda::result_bytes_for(size)) {}

void GpuComputer::take_up(std::unique_ptr<cuda::Computation> computation) {
  other_ = std::move(computation);
  work_ = other_.get();
  repeater_.compute_first(*work_);
}

void GpuComputer::take_up(const benchmarks::ProductInput& input) {
  work_ = nullptr;
  product_.reset();
  way_ = benchmarks::cublas::MatrixProduct::make(input);
  if (!way_) return;
  product_ = std::make_unique<benchmarks::cublas::Product>(*way_, memory_, input, repeater_.stream());
  work_ = product_.get();
  repeater_.compute_first(*work_);
}

void GpuComputer::add_up(std::uint64_t seed) {
  benchmarks::cublas::add_up(*product_, repeater_.first(), seed, memory_, repeater_.stream());
}

benchmarks::cublas::RowSums GpuComputer::row_sums() const { return benchmarks::cublas::row_sums(*product_, memory_); }

void GpuComputer::repeat(std::size_t times) { repeater_.repeat(*work_, times); }

std::vector<double> GpuComputer::wait() { return repeater_.wait(answer_timeout); }

}  // namespace muster::healthcheck
