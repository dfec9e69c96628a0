// SPDX-License-Identifier: Apache-2.0
// What the check allreduce needs of CUDA, on the host's memory and done at once: it lets everything of the check but
// CUDA itself run where there is no GPU. MUSTER_GPUS says how many there are (default 8).
#include "tests/support/cuda_on_host.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "benchmarks/collectives/collective_data.hpp"
#include "benchmarks/cuda/collective_kernels.hpp"
#include "benchmarks/cuda/device.hpp"
#include "benchmarks/error.hpp"
#include "tests/support/cuda_stand_in.hpp"

cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return cudaHostAlloc(memory, bytes, cudaHostAllocDefault); }
cudaError_t cudaFree(void* memory) { return cudaFreeHost(memory); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = std::make_unique<CUstream_st>().release();
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::unique_ptr<CUstream_st> owned(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  stream->finish();
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  stream->finish();
  event->passed = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) { return "an error of CUDA"; }

namespace muster::benchmarks::cuda {

int device_count() {
  const char* told = std::getenv("MUSTER_GPUS");
  const int count = told == nullptr ? 8 : std::atoi(told);
  if (count == 0) throw NoDevice("no CUDA-capable device is detected");
  return count;
}

std::vector<Device> devices() {
  const bool all_one = std::getenv("MUSTER_ONE_GPU") != nullptr;
  std::vector<Device> found(static_cast<std::size_t>(device_count()));
  for (std::size_t index = 0; index < found.size(); ++index)
    found[index] = {.index = static_cast<int>(index),
                    .name = "host",
                    .memory_bytes = 80e9,
                    .pci_address = "000" + std::to_string(all_one ? 1 : index + 1) + ":00:00.0"};
  return found;
}

void fill_on_device(void* buffer, std::size_t elements, DataType type, const Pattern& pattern, int rank, cudaStream_t) {
  fill({static_cast<std::byte*>(buffer), elements * bytes_of(type)}, type, pattern, rank);
}

void verify_on_device(const void* buffer, const Collective& collective, const Shape& shape, const Pattern& pattern,
                      int rank, int ranks, WrongOnDevice* wrong, cudaStream_t) {
  const auto found = verify({static_cast<const std::byte*>(buffer), shape.receive * bytes_of(collective.type)},
                            collective, shape, pattern, rank, ranks);
  wrong->count += found.count;
  if (found.first) wrong->first = std::min<unsigned long long>(wrong->first, found.first->index);
}

}  // namespace muster::benchmarks::cuda
