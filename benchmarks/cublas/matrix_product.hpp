// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "benchmarks/data/product_numbers.hpp"

namespace muster::benchmarks::cublas {

// How cuBLASLt multiplies matrices on the device that is set: by the kernel it thinks the fastest of those that add up
// in one piece, so that the same input gives the same bits.
class MatrixProduct {
 public:
  // Nothing where the device, or cuBLASLt on it, has no such arithmetic. Throws Error.
  static std::unique_ptr<MatrixProduct> make(const ProductInput& input);

  virtual ~MatrixProduct() = default;
  MatrixProduct(const MatrixProduct&) = delete;
  MatrixProduct& operator=(const MatrixProduct&) = delete;

  // Enqueues d = a b, matrices in the device's memory as product_numbers.hpp has them. Throws Error.
  virtual void enqueue(const void* a, const void* b, void* d, cudaStream_t stream) = 0;

 protected:
  MatrixProduct() = default;
};

}  // namespace muster::benchmarks::cublas
