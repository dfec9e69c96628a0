// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/computation.hpp"

#include <fmt/format.h>

#include "benchmarks/cuda/compute_kernels.hpp"
#include "benchmarks/cuda/word_kernels.hpp"

namespace muster::benchmarks::cuda {
namespace {

static_assert(function_results % sweep_tile == 0 && sum_results % sweep_tile == 0);
static_assert(function_results * sizeof(std::uint64_t) <= result_bytes_for(0));

template <std::size_t count, auto kernel>
class ByKernel final : public Computation {
 public:
  explicit ByKernel(std::uint64_t seed) : seed_(seed) {}

  std::size_t words() const override { return count; }
  std::string place(std::uint64_t word, std::uint64_t) const override { return fmt::format("result {}", word); }
  void enqueue(std::uint64_t* result, cudaStream_t stream) override { kernel(seed_, result, stream); }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Computation> special_functions(std::uint64_t seed) {
  return std::make_unique<ByKernel<function_results, functions_on_device>>(seed);
}

std::unique_ptr<Computation> ordered_sums(std::uint64_t seed) {
  return std::make_unique<ByKernel<sum_results, sums_on_device>>(seed);
}

}  // namespace muster::benchmarks::cuda
