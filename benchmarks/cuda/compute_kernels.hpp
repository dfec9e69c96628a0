// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "benchmarks/data/product_numbers.hpp"

// What kernels compute besides products of matrices, and how they look at results. All only enqueue, and throw Error
// when the stream refuses.
namespace muster::benchmarks::cuda {

// Words of results; of each, many functions of a few numbers, or one sum.
inline constexpr std::size_t function_results = std::size_t{1} << 17;
inline constexpr std::size_t sum_results = std::size_t{1} << 12;
inline constexpr std::size_t numbers_of_a_function_result = 8;
inline constexpr std::size_t numbers_of_a_sum = 2048;

// sin, cos, exp, log, tanh, powers, roots and divisions of random numbers, in single and double precision, and those
// that the hardware approximates.
void functions_on_device(std::uint64_t seed, std::uint64_t* results, cudaStream_t stream);
// Sums of random numbers in double precision, by warps and blocks, always in the same order.
void sums_on_device(std::uint64_t seed, std::uint64_t* results, cudaStream_t stream);

// Writes all of a matrix.
void fill_on_device(const ProductInput& input, Matrix matrix, void* elements, cudaStream_t stream);

// Adds hash_of() all words.
void hash_on_device(const std::uint64_t* words, std::size_t count, std::uint64_t* hash, cudaStream_t stream);

// Adds, for every row, B x to `of_b`; A times what is there to `sums`; D x to `sums`: see exact_product.hpp.
void weigh_b_on_device(const ProductInput& input, std::uint64_t seed, std::uint64_t* of_b, cudaStream_t stream);
void weigh_a_on_device(const ProductInput& input, const std::uint64_t* of_b, std::uint64_t* sums, cudaStream_t stream);
void weigh_product_on_device(const ProductInput& input, const void* product, std::uint64_t seed, std::uint64_t* sums,
                             cudaStream_t stream);

}  // namespace muster::benchmarks::cuda
