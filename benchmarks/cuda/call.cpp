// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/call.hpp"

#include <fmt/format.h>

#include "benchmarks/error.hpp"

namespace muster::benchmarks {

void require_cuda(cudaError_t result, std::string_view call) {
  if (result != cudaSuccess) throw Error(fmt::format("{} failed: {}", call, cudaGetErrorString(result)));
}

}  // namespace muster::benchmarks
