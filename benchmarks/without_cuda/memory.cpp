// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/memory/memory.hpp"

#include "benchmarks/error.hpp"

namespace muster::benchmarks {

std::unique_ptr<Memory> make_memory(std::size_t bytes, const std::string& gpu) {
  if (!gpu.empty()) throw Error("this program was built without CUDA");
  return make_host_memory(bytes);
}

}  // namespace muster::benchmarks
