// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/vacant_memory.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/device.hpp"
#include "benchmarks/cuda/stopwatch.hpp"
#include "benchmarks/error.hpp"
#include "results/values/quantity.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr std::size_t reserve = 256;    // one part of so many, for the driver and whoever else wants a little
constexpr std::size_t max_tries = 16;   // each for one part less: what is free may be in pieces, or be taken meanwhile
constexpr std::size_t min_caches = 12;  // three arrays of which the cache holds no more than a quarter

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  require_cuda(cudaGetDevice(&device), "cudaGetDevice");
  require_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

std::string text(std::size_t bytes) {
  return results::to_text({.value = static_cast<double>(bytes), .unit = results::Unit::byte});
}

// Makes it this thread's device.
int used(int device) {
  use_device(device);
  return device;
}

}  // namespace

VacantMemory::VacantMemory(const std::string& pci_address)
    : device_(used(device_at(pci_address))),
      cache_bytes_(static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize))),
      elsewhere_(cuda_memory(2 * cache_bytes_)) {
  Stopwatch().seconds([] {});  // a GPU for which this program has no kernels is refused here
  std::size_t free = 0;
  require_cuda(cudaMemGetInfo(&free, &all_bytes_), "cudaMemGetInfo");
  for (std::size_t tries = 1; tries <= max_tries; ++tries) {
    bytes_ = free - tries * (free / reserve);
    if (bytes_ < min_caches * cache_bytes_)
      throw Error(fmt::format("only {} of {} are free", text(free), text(all_bytes_)));
    void* memory = nullptr;
    const auto result = cudaMalloc(&memory, bytes_);
    if (result == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // is no longer the last
      continue;
    }
    require_cuda(result, "cudaMalloc");
    taken_.reset(memory);
    return;
  }
  throw Error(fmt::format("{} of {} are free, but not in one piece", text(free), text(all_bytes_)));
}

void VacantMemory::flush_cache(cudaStream_t stream) const {
  require_cuda(cudaMemsetAsync(elsewhere_.get(), 0, 2 * cache_bytes_, stream), "cudaMemsetAsync");
}

std::optional<MemoryLimit> memory_limit() {
  const double clock = 1e3 * attribute(cudaDevAttrMemoryClockRate);
  const int bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
  if (clock <= 0 || bits <= 0) return std::nullopt;
  return MemoryLimit{.bytes_per_second = clock * 2 * bits / 8,
                     .source = fmt::format("{:.0f} MHz x 2 x {} bits", clock / 1e6, bits)};
}

}  // namespace muster::benchmarks::cuda
