// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cublas/product.hpp"

#include <fmt/format.h>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/compute_kernels.hpp"

namespace muster::benchmarks::cublas {
namespace {

enum Sums : std::size_t { of_b, expected, found, kinds_of_sums };

}  // namespace

ProductMemory::ProductMemory(std::size_t size)
    : size_(size),
      a_(cuda::cuda_memory(size * size * sizeof(double))),
      b_(cuda::cuda_memory(size * size * sizeof(double))),
      sums_(cuda::cuda_memory(kinds_of_sums * size * sizeof(std::uint64_t))) {}

Product::Product(MatrixProduct& product, const ProductMemory& memory, const ProductInput& input, cudaStream_t stream)
    : product_(product), memory_(memory), input_(input) {
  cuda::fill_on_device(input, Matrix::a, memory.a(), stream);
  cuda::fill_on_device(input, Matrix::b, memory.b(), stream);
}

std::size_t Product::words() const {
  return input_.size * input_.size * result_bytes(input_.arithmetic) / sizeof(std::uint64_t);
}

std::string Product::place(std::uint64_t word, std::uint64_t bits) const {
  const auto bytes = result_bytes(input_.arithmetic);
  const bool in_upper_half = bytes < sizeof word && bits << 32U == 0;
  const auto element = word * (sizeof word / bytes) + (in_upper_half ? 1 : 0);
  return fmt::format("row {}, column {}", element % input_.size, element / input_.size);
}

void Product::enqueue(std::uint64_t* result, cudaStream_t stream) {
  product_.enqueue(memory_.a(), memory_.b(), result, stream);
}

void add_up(const Product& product, const std::uint64_t* result, std::uint64_t seed, const ProductMemory& memory,
            cudaStream_t stream) {
  const auto& input = product.input();
  cuda::require_cuda(cudaMemsetAsync(memory.sums(0), 0, kinds_of_sums * input.size * sizeof(std::uint64_t), stream),
                     "cudaMemsetAsync");
  cuda::weigh_b_on_device(input, seed, memory.sums(of_b), stream);
  cuda::weigh_a_on_device(input, memory.sums(of_b), memory.sums(expected), stream);
  cuda::weigh_product_on_device(input, result, seed, memory.sums(found), stream);
}

RowSums row_sums(const Product& product, const ProductMemory& memory) {
  const auto copied = [&](Sums which) {
    std::vector<std::uint64_t> sums(product.input().size);
    cuda::require_cuda(
        cudaMemcpy(sums.data(), memory.sums(which), sums.size() * sizeof sums.front(), cudaMemcpyDeviceToHost),
        "cudaMemcpy from the GPU");
    return sums;
  };
  return {.expected = copied(expected), .found = copied(found)};
}

}  // namespace muster::benchmarks::cublas
