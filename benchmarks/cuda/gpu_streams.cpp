// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/gpu_streams.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr std::size_t usual_array_bytes = std::size_t{1} << 30;
constexpr std::size_t array_caches = 16;  // of the GPU's cache, so that little of an array stays there

using Sums = std::array<double, stream_kernels.size()>;

std::size_t elements_of(const VacantMemory& memory) {
  const auto wanted = std::max(usual_array_bytes, array_caches * memory.cache_bytes());
  return std::min(wanted, memory.range().size() / 3) / sizeof(double) / stream_tile * stream_tile;
}

}  // namespace

GpuStreams::GpuStreams(const VacantMemory& memory)
    : memory_(memory),
      elements_(elements_of(memory)),
      places_(memory.range().size() / (3 * array_bytes())),
      sums_(cuda_memory(sizeof(Sums))) {}

std::size_t GpuStreams::array_bytes() const { return elements_ * sizeof(double); }

StreamArrays GpuStreams::arrays(std::size_t place) const {
  auto* const first = static_cast<double*>(static_cast<void*>(memory_.range().data())) + 3 * elements_ * place;
  return {.a = first, .b = first + elements_, .c = first + 2 * elements_, .elements = elements_};
}

std::array<double, stream_kernels.size()> GpuStreams::cycle() {
  const auto taken = arrays(turn_ % places_);
  auto* const sums = static_cast<double*>(sums_.get());
  require_cuda(cudaMemsetAsync(sums, 0, sizeof(Sums), stopwatch_.stream()), "cudaMemsetAsync");
  memory_.flush_cache(stopwatch_.stream());
  std::vector<std::function<void()>> operations;
  for (const auto kernel : stream_kernels)
    operations.emplace_back([&, kernel] {
      stream_on_device(kernel, taken, turn_, sums + static_cast<std::size_t>(kernel), stopwatch_.stream());
    });
  const auto seconds = stopwatch_.seconds(operations);
  Sums found{};
  require_cuda(cudaMemcpy(&found, sums, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");

  std::array<double, stream_kernels.size()> rates{};
  for (const auto kernel : stream_kernels) {
    const auto index = static_cast<std::size_t>(kernel);
    rates.at(index) = static_cast<double>(arrays_moved(kernel) * array_bytes()) / seconds.at(index);
    if (sums_up(kernel) && found.at(index) != expected_sum(kernel, elements_, turn_)) ++wrong_sums_;
  }
  ++turn_;
  return rates;
}

}  // namespace muster::benchmarks::cuda
