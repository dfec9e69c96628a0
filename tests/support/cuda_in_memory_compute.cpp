// SPDX-License-Identifier: Apache-2.0
// What kernels and cuBLASLt compute.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/cublas/matrix_product.hpp"
#include "benchmarks/cuda/compute_kernels.hpp"
#include "benchmarks/data/exact_product.hpp"
#include "benchmarks/data/hashed.hpp"
#include "benchmarks/data/peak_operations.hpp"
#include "tests/support/cuda_in_memory.hpp"
#include "tests/support/injected.hpp"

namespace muster::benchmarks {
namespace {

using tests::is_injected;

constexpr double multiprocessors = 132;
constexpr double hertz = 1.755e9;
constexpr double usual_efficiency = 0.8;
constexpr double seconds_of_a_kernel = 1e-3;
constexpr std::size_t few_numbers = 16;     // of a sum, in place of many
constexpr std::size_t broken_element = 77;  // row 13, column 1 of 64

double number_of(std::uint64_t word) { return 0.5 + static_cast<double>(word >> 12) * 0x1p-53; }

std::uint64_t encoded(const void* elements, const NumberFormat& format, std::size_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const std::byte*>(elements) + index * format.bytes(), format.bytes());
  return bits;
}

std::vector<double> decoded(const void* elements, const NumberFormat& format, std::size_t count) {
  std::vector<double> numbers;
  for (std::size_t index = 0; index < count; ++index)
    numbers.push_back(format.decoded(encoded(elements, format, index)));
  return numbers;
}

class InMemory final : public cublas::MatrixProduct {
 public:
  explicit InMemory(const ProductInput& input) : input_(input) {}

  void enqueue(const void* a, const void* b, void* d, cudaStream_t stream) override {
    if (times_ == 0) multiply(a, b);
    for (std::size_t index = 0; index < product_.size(); ++index) store(d, index, product_[index]);
    const auto is_broken = [&](std::string_view fault) { return is_injected(fault, stream->device); };
    ++times_;
    if (is_broken("gpu_miscomputes") || (is_broken("gpu_miscomputes_at_times") && times_ % 2 == 0))
      static_cast<std::uint32_t*>(d)[broken_element] ^= 1U << 23U;
    if (is_broken("gpu_miscomputes_random") && input_.numbers == Numbers::random)
      static_cast<std::uint32_t*>(d)[broken_element] ^= 1;
    stream->now += input_.operations() / rate(stream->device);
    tests::works(stream);
  }

 private:
  // Once: the matrices of a product never change.
  void multiply(const void* a, const void* b) {
    const auto size = input_.size;
    const auto format = format_of(input_.arithmetic);
    const auto in_a = decoded(a, format, size * size);
    const auto in_b = decoded(b, format, size * size);
    for (std::size_t column = 0; column < size; ++column)
      for (std::size_t row = 0; row < size; ++row) {
        double& sum = product_.emplace_back();
        for (std::size_t inner = 0; inner < size; ++inner)
          sum += in_a[size * row + inner] * in_b[size * column + inner];
      }
  }

  void store(void* d, std::size_t index, double value) const {
    switch (input_.arithmetic) {
      case Arithmetic::fp64:
        static_cast<double*>(d)[index] = value;
        break;
      case Arithmetic::int8:
        static_cast<std::int32_t*>(d)[index] = static_cast<std::int32_t>(value);
        break;
      default:
        static_cast<float*>(d)[index] = static_cast<float>(value);
    }
  }

  double rate(std::string_view device) const {
    const auto peak = peak_operations_per_clock(input_.arithmetic, "9.0").value() * multiprocessors * hertz;
    if (is_injected("gpu_computes_slowly", device)) return peak * 0.4;
    if (is_injected("gpu_computes_too_fast", device)) return peak * 1.2;
    return peak * usual_efficiency;
  }

  ProductInput input_;
  std::vector<double> product_;
  int times_ = 0;
};

}  // namespace

std::unique_ptr<cublas::MatrixProduct> cublas::MatrixProduct::make(const ProductInput& input) {
  if (input.arithmetic == Arithmetic::fp8 && is_injected("gpu_without_fp8")) return nullptr;
  return std::make_unique<InMemory>(input);
}

void cuda::functions_on_device(std::uint64_t seed, std::uint64_t* results, cudaStream_t stream) {
  for (std::size_t index = 0; index < function_results; ++index) {
    const double x = number_of(scrambled(seed + index));
    results[index] = std::bit_cast<std::uint64_t>(std::sin(x) + std::exp(x));
  }
  if (is_injected("gpu_misjudges_functions", stream->device)) results[17] ^= 1;
  stream->now += seconds_of_a_kernel;
  tests::works(stream);
}

void cuda::sums_on_device(std::uint64_t seed, std::uint64_t* results, cudaStream_t stream) {
  for (std::size_t index = 0; index < sum_results; ++index) {
    double sum = 0;
    for (std::size_t number = 0; number < few_numbers; ++number)
      sum += number_of(scrambled(seed + index * few_numbers + number));
    results[index] = std::bit_cast<std::uint64_t>(sum);
  }
  if (is_injected("gpu_missums", stream->device)) results[17] ^= 1;
  stream->now += seconds_of_a_kernel;
  tests::works(stream);
}

void cuda::fill_on_device(const ProductInput& input, Matrix matrix, void* elements, cudaStream_t) {
  const auto bytes = format_of(input.arithmetic).bytes();
  for (std::size_t index = 0; index < input.size * input.size; ++index) {
    const auto bits = input.element(matrix, index);
    std::memcpy(static_cast<std::byte*>(elements) + index * bytes, &bits, bytes);
  }
}

void cuda::hash_on_device(const std::uint64_t* words, std::size_t count, std::uint64_t* hash, cudaStream_t) {
  for (std::size_t index = 0; index < count; ++index) *hash += hash_of(index, words[index]);
}

void cuda::weigh_b_on_device(const ProductInput& input, std::uint64_t seed, std::uint64_t* of_b, cudaStream_t) {
  const auto weights = [seed](std::size_t column) { return weight(seed, column); };
  for (std::size_t row = 0; row < input.size; ++row) of_b[row] += weighed(0, input.size, row_of_b(input, row), weights);
}

void cuda::weigh_a_on_device(const ProductInput& input, const std::uint64_t* of_b, std::uint64_t* sums, cudaStream_t) {
  const auto factors = [of_b](std::size_t column) { return of_b[column]; };
  for (std::size_t row = 0; row < input.size; ++row) sums[row] += weighed(0, input.size, row_of_a(input, row), factors);
}

void cuda::weigh_product_on_device(const ProductInput& input, const void* product, std::uint64_t seed,
                                   std::uint64_t* sums, cudaStream_t) {
  const std::span words(static_cast<const std::uint64_t*>(product), input.size * input.size);
  const auto weights = [seed](std::size_t column) { return weight(seed, column); };
  for (std::size_t row = 0; row < input.size; ++row) {
    const auto entries = [&](std::size_t column) {
      return whole_bits(result_at(input.arithmetic, words, input.size * column + row));
    };
    sums[row] += weighed(0, input.size, entries, weights);
  }
}

}  // namespace muster::benchmarks
