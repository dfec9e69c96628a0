// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/device.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "benchmarks/cuda/call.hpp"

namespace muster::benchmarks::cuda {
namespace {

// 13000 -> "13.0".
std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string pci_address(int index) {
  std::array<char, 32> text{};
  require_cuda(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), index), "cudaDeviceGetPCIBusId");
  std::string address = text.data();
  std::ranges::transform(address, address.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return address;
}

}  // namespace

Device described(int index) {
  cudaDeviceProp properties{};
  require_cuda(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  return {.index = index,
          .name = std::data(properties.name),
          .memory_bytes = static_cast<double>(properties.totalGlobalMem),
          .compute_capability = fmt::format("{}.{}", properties.major, properties.minor),
          .pci_address = pci_address(index),
          .multiprocessors = properties.multiProcessorCount};
}

int device_count() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result == cudaErrorNoDevice) throw NoDevice(cudaGetErrorString(result));
  if (result == cudaErrorInsufficientDriver) {  // it says the same of a driver that is too old and of none at all
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0) throw NoDevice("there is no GPU driver");
    throw Error(
        fmt::format("the GPU driver is one for CUDA {}, and muster was built with CUDA {}: update the driver, or "
                    "build muster with CUDA {}",
                    version_text(driver), version_text(CUDART_VERSION), version_text(driver)));
  }
  require_cuda(result, "cudaGetDeviceCount");
  return count;
}

std::vector<Device> devices() {
  std::vector<Device> found;
  const int count = device_count();
  for (int index = 0; index < count; ++index) found.push_back(described(index));
  return found;
}

int device_at(const std::string& pci_address) {
  int device = 0;
  require_cuda(cudaDeviceGetByPCIBusId(&device, pci_address.c_str()), "cudaDeviceGetByPCIBusId of " + pci_address);
  return device;
}

bool shares_page_tables(int device) {
  int shares = 0;
  require_cuda(cudaDeviceGetAttribute(&shares, cudaDevAttrPageableMemoryAccessUsesHostPageTables, device),
               "cudaDeviceGetAttribute");
  return shares != 0;
}

std::string driver_version() {
  int version = 0;
  require_cuda(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  return version_text(version);
}

std::string runtime_version() {
  int version = 0;
  require_cuda(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  return version_text(version);
}

}  // namespace muster::benchmarks::cuda
