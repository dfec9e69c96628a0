// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/memory/memory.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <bit>

#include "benchmarks/cuda/call.hpp"
#include "benchmarks/cuda/device.hpp"
#include "benchmarks/cuda/driver.hpp"
#include "benchmarks/cuda/handles.hpp"
#include "benchmarks/error.hpp"
#include "results/system/descriptor.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;  // of a GPU: memory of whole ones begins with one

class GpuMemory final : public Memory {
 public:
  GpuMemory(std::size_t bytes, const std::string& pci)
      : bytes_(bytes), pages_bytes_((bytes + page - 1) / page * page), device_(cuda::device_at(pci)) {
    cuda::use_device(device_);
    memory_ = cuda::cuda_memory(pages_bytes_);
    // Or a copy could be under way when an adapter reads what it brings (CUDA, GPUDirect RDMA: synchronising memory).
    unsigned yes = 1;
    cuda::require_driver(cuda::driver().pointer_set_attribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address()),
                         "cuPointerSetAttribute(SYNC_MEMOPS)");
  }

  std::span<std::byte> range() const override { return {static_cast<std::byte*>(memory_.get()), bytes_}; }
  bool is_of_gpu() const override { return true; }

  void store(std::span<const std::byte> data, std::size_t offset) override {
    cuda::use_device(device_);
    cuda::require_cuda(cudaMemcpy(range().subspan(offset).data(), data.data(), data.size(), cudaMemcpyHostToDevice),
                       "cudaMemcpy to the GPU");
  }
  void load(std::span<std::byte> data, std::size_t offset) const override {
    cuda::use_device(device_);
    cuda::require_cuda(cudaMemcpy(data.data(), range().subspan(offset).data(), data.size(), cudaMemcpyDeviceToHost),
                       "cudaMemcpy from the GPU");
  }

  int file() override {
    cuda::use_device(device_);
    if (!file_) {
      int file = -1;
      cuda::require_driver(
          cuda::driver().memory_file(&file, address(), pages_bytes_, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0),
          "cuMemGetHandleForAddressRange(DMA_BUF_FD)");
      file_ = results::Descriptor(file);
    }
    return file_.number();
  }

 private:
  CUdeviceptr address() const { return std::bit_cast<CUdeviceptr>(memory_.get()); }

  std::size_t bytes_;
  std::size_t pages_bytes_;
  int device_;
  cuda::CudaMemory memory_;
  results::Descriptor file_;
};

}  // namespace

std::unique_ptr<Memory> make_memory(std::size_t bytes, const std::string& gpu) {
  if (gpu.empty()) return make_host_memory(bytes);
  return std::make_unique<GpuMemory>(bytes, gpu);
}

}  // namespace muster::benchmarks
