// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/cublas/matrix_product.hpp"
#include "benchmarks/cuda/computation.hpp"
#include "benchmarks/cuda/handles.hpp"
#include "benchmarks/data/product_numbers.hpp"

namespace muster::benchmarks::cublas {

// Room for two matrices, and for what a proof adds up, on the device that is set when it is made. Throws Error.
class ProductMemory {
 public:
  explicit ProductMemory(std::size_t size);

  void* a() const { return a_.get(); }
  void* b() const { return b_.get(); }
  // One for each row.
  std::uint64_t* sums(std::size_t which) const { return static_cast<std::uint64_t*>(sums_.get()) + which * size_; }

 private:
  std::size_t size_;
  cuda::CudaMemory a_;
  cuda::CudaMemory b_;
  cuda::CudaMemory sums_;
};

// A product of matrices by cuBLASLt.
class Product final : public cuda::Computation {
 public:
  // Has the stream write both matrices. The product and the memory must outlive it. Throws Error.
  Product(MatrixProduct& product, const ProductMemory& memory, const ProductInput& input, cudaStream_t stream);

  const ProductInput& input() const { return input_; }
  std::size_t words() const override;
  std::string place(std::uint64_t word, std::uint64_t bits) const override;
  void enqueue(std::uint64_t* result, cudaStream_t stream) override;

 private:
  MatrixProduct& product_;
  const ProductMemory& memory_;
  ProductInput input_;
};

// For every row of a product of whole numbers what its sum must be, and what it is, by random weights: see
// exact_product.hpp.
struct RowSums {
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> found;
};
// Enqueues the sums; and reads them when that was waited for. Both throw Error.
void add_up(const Product& product, const std::uint64_t* result, std::uint64_t seed, const ProductMemory& memory,
            cudaStream_t stream);
RowSums row_sums(const Product& product, const ProductMemory& memory);

}  // namespace muster::benchmarks::cublas
