// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace muster::benchmarks::cuda {

// What a device computes: the same bits each time, from input that is the same on all devices.
class Computation {
 public:
  virtual ~Computation() = default;
  Computation(const Computation&) = delete;
  Computation& operator=(const Computation&) = delete;

  // Of its result, 64 bits each; a multiple of sweep_tile.
  virtual std::size_t words() const = 0;
  // Where in the result such bits of a word are: "row 3, column 5".
  virtual std::string place(std::uint64_t word, std::uint64_t bits) const = 0;
  // Throws Error.
  virtual void enqueue(std::uint64_t* result, cudaStream_t stream) = 0;

 protected:
  Computation() = default;
};

// See compute_kernels.hpp.
std::unique_ptr<Computation> special_functions(std::uint64_t seed);
std::unique_ptr<Computation> ordered_sums(std::uint64_t seed);

// That both, and every product of matrices up to this size, have room for their results.
constexpr std::size_t result_bytes_for(std::size_t size) {
  constexpr std::size_t least = std::size_t{1} << 20;
  return size * size * sizeof(double) < least ? least : size * size * sizeof(double);
}

}  // namespace muster::benchmarks::cuda
