// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/compute_kernels.hpp"

#include <cuda_runtime.h>

#include "benchmarks/cuda/block_sum.cuh"
#include "benchmarks/cuda/call.hpp"
#include "benchmarks/data/exact_product.hpp"
#include "benchmarks/data/hashed.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned blocks = 2048;     // of what goes through much memory
constexpr unsigned row_threads = 64;  // which the number of rows is a multiple of
constexpr unsigned parts = 32;        // of a row

__device__ std::uint64_t bits_of(float value) { return __float_as_uint(value); }
__device__ std::uint64_t bits_of(double value) { return static_cast<std::uint64_t>(__double_as_longlong(value)); }

// 1/2 to 1, by the bits of a word.
__device__ double number_of(std::uint64_t word) { return 0.5 + static_cast<double>(word >> 12) * 0x1p-53; }

__device__ std::uint64_t hash_of_functions(double x, double y) {
  const auto single = static_cast<float>(x);
  const auto other = static_cast<float>(y);
  const std::uint64_t results[] = {
      bits_of(sinf(single)),
      bits_of(cosf(single)),
      bits_of(expf(single)),
      bits_of(logf(single)),
      bits_of(tanhf(single)),
      bits_of(powf(single, other)),
      bits_of(sqrtf(single)),
      bits_of(rsqrtf(single)),
      bits_of(single / other),
      bits_of(__sinf(single)),
      bits_of(__cosf(single)),
      bits_of(__expf(single)),
      bits_of(__logf(single)),
      bits_of(__powf(single, other)),
      bits_of(__fdividef(single, other)),
      bits_of(sin(x)),
      bits_of(cos(x)),
      bits_of(exp(x)),
      bits_of(log(x)),
      bits_of(tanh(x)),
      bits_of(pow(x, y)),
      bits_of(sqrt(x)),
      bits_of(rsqrt(x)),
      bits_of(x / y),
  };
  std::uint64_t hash = 0;
  std::uint64_t index = 0;
  for (const auto bits : results) hash += hash_of(index++, bits);
  return hash;
}

__global__ void functions(std::uint64_t seed, std::uint64_t* results) {
  const unsigned index = blockIdx.x * threads + threadIdx.x;
  std::uint64_t hash = 0;
  for (std::uint64_t number = 0; number < numbers_of_a_function_result; ++number) {
    const auto at = seed + 2 * (index * numbers_of_a_function_result + number);
    hash += hash_of(number, hash_of_functions(number_of(scrambled(at)), number_of(scrambled(at + 1))));
  }
  results[index] = hash;
}

__global__ void sums(std::uint64_t seed, std::uint64_t* results) {
  double own = 0;
  for (std::uint64_t number = threadIdx.x; number < numbers_of_a_sum; number += threads)
    own += number_of(scrambled(seed + blockIdx.x * numbers_of_a_sum + number));
  const double of_block = sum_of_block<threads>(own);
  if (threadIdx.x == 0) results[blockIdx.x] = bits_of(of_block);
}

template <class Element>
__global__ void fill(ProductInput input, Matrix matrix, Element* elements) {
  const auto count = input.size * input.size;
  for (std::size_t index = blockIdx.x * threads + threadIdx.x; index < count; index += std::size_t{blocks} * threads)
    elements[index] = static_cast<Element>(input.element(matrix, index));
}

__device__ void add_to(std::uint64_t* sum, std::uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

__global__ void hash(const std::uint64_t* words, std::size_t count, std::uint64_t* hash) {
  std::uint64_t own = 0;
  for (std::size_t index = blockIdx.x * threads + threadIdx.x; index < count; index += std::size_t{blocks} * threads)
    own += hash_of(index, words[index]);
  add_to(hash, own);
}

// A thread has a part of a row.
struct Part {
  std::size_t row;
  std::size_t begin;
  std::size_t end;
};
__device__ Part part_of(std::size_t size) {
  return {.row = blockIdx.x * row_threads + threadIdx.x,
          .begin = size * blockIdx.y / parts,
          .end = size * (blockIdx.y + 1) / parts};
}

__global__ void weigh_b(ProductInput input, std::uint64_t seed, std::uint64_t* of_b) {
  const auto [row, begin, end] = part_of(input.size);
  const auto weights = [seed](std::size_t column) { return weight(seed, column); };
  add_to(of_b + row, weighed(begin, end, row_of_b(input, row), weights));
}

__global__ void weigh_a(ProductInput input, const std::uint64_t* of_b, std::uint64_t* sums) {
  const auto [row, begin, end] = part_of(input.size);
  const auto factors = [of_b](std::size_t column) { return of_b[column]; };
  add_to(sums + row, weighed(begin, end, row_of_a(input, row), factors));
}

template <class Element>
__global__ void weigh_product(const Element* product, std::size_t size, std::uint64_t seed, std::uint64_t* sums) {
  const auto [row, begin, end] = part_of(size);
  const auto weights = [seed](std::size_t column) { return weight(seed, column); };
  add_to(sums + row, weighed(begin, end, row_of_product(product, size, row), weights));
}

dim3 blocks_for(std::size_t rows) { return {static_cast<unsigned>(rows / row_threads), parts}; }

void require_started() { require_cuda(cudaGetLastError(), "a kernel's start"); }

}  // namespace

void functions_on_device(std::uint64_t seed, std::uint64_t* results, cudaStream_t stream) {
  functions<<<function_results / threads, threads, 0, stream>>>(seed, results);
  require_started();
}

void sums_on_device(std::uint64_t seed, std::uint64_t* results, cudaStream_t stream) {
  sums<<<sum_results, threads, 0, stream>>>(seed, results);
  require_started();
}

void fill_on_device(const ProductInput& input, Matrix matrix, void* elements, cudaStream_t stream) {
  switch (format_of(input.arithmetic).bytes()) {
    case 1:
      fill<<<blocks, threads, 0, stream>>>(input, matrix, static_cast<std::uint8_t*>(elements));
      break;
    case 2:
      fill<<<blocks, threads, 0, stream>>>(input, matrix, static_cast<std::uint16_t*>(elements));
      break;
    case 4:
      fill<<<blocks, threads, 0, stream>>>(input, matrix, static_cast<std::uint32_t*>(elements));
      break;
    default:
      fill<<<blocks, threads, 0, stream>>>(input, matrix, static_cast<std::uint64_t*>(elements));
  }
  require_started();
}

void hash_on_device(const std::uint64_t* words, std::size_t count, std::uint64_t* sum, cudaStream_t stream) {
  hash<<<blocks, threads, 0, stream>>>(words, count, sum);
  require_started();
}

void weigh_b_on_device(const ProductInput& input, std::uint64_t seed, std::uint64_t* of_b, cudaStream_t stream) {
  weigh_b<<<blocks_for(input.size), row_threads, 0, stream>>>(input, seed, of_b);
  require_started();
}

void weigh_a_on_device(const ProductInput& input, const std::uint64_t* of_b, std::uint64_t* row_sums,
                       cudaStream_t stream) {
  weigh_a<<<blocks_for(input.size), row_threads, 0, stream>>>(input, of_b, row_sums);
  require_started();
}

void weigh_product_on_device(const ProductInput& input, const void* product, std::uint64_t seed,
                             std::uint64_t* row_sums, cudaStream_t stream) {
  const auto grid = blocks_for(input.size);
  switch (input.arithmetic) {
    case Arithmetic::fp64:
      weigh_product<<<grid, row_threads, 0, stream>>>(static_cast<const double*>(product), input.size, seed, row_sums);
      break;
    case Arithmetic::int8:
      weigh_product<<<grid, row_threads, 0, stream>>>(static_cast<const std::int32_t*>(product), input.size, seed,
                                                      row_sums);
      break;
    default:
      weigh_product<<<grid, row_threads, 0, stream>>>(static_cast<const float*>(product), input.size, seed, row_sums);
  }
  require_started();
}

}  // namespace muster::benchmarks::cuda
