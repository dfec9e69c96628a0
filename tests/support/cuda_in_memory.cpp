// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cuda_in_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "benchmarks/cuda/device.hpp"
#include "benchmarks/error.hpp"
#include "tests/support/cuda_stand_in.hpp"
#include "tests/support/injected.hpp"

namespace muster {
namespace {

using tests::is_injected;

constexpr std::size_t memory_bytes = std::size_t{2} << 20;
constexpr std::size_t little_bytes = 1 << 18;
constexpr int cache_bytes = 1 << 16;
constexpr int memory_kilohertz = 2'619'000;
constexpr int memory_bits = 5120;
constexpr const char* device_now = "MUSTER_TEST_DEVICE";  // which cudaSetDevice has set
constexpr std::uint64_t line = 1 << 12;                   // of the address, that is always low
constexpr int devices_end = 32;

// Of an H100 in PCIe 5.0 with 18 NVLinks.
constexpr double host_rate = 55e9;
constexpr double peer_rate = 390e9;
constexpr double latency = 2e-6;  // of what is shorter than a page

std::string current_device() { return std::getenv(device_now); }
bool is_broken(std::string_view fault) { return is_injected(fault, current_device()); }

// Each device has a range of addresses, in places of the size of its whole memory.
std::uintptr_t range_of(int device) { return static_cast<std::uintptr_t>(device) << 36; }
int number_of(std::string_view address) { return std::stoi(std::string(address.substr(0, 4)), nullptr, 16); }

// The device in whose memory this is.
std::optional<int> owner(const void* memory) {
  const auto number = std::bit_cast<std::uintptr_t>(memory) >> 36;
  if (number == 0 || number >= devices_end) return std::nullopt;
  return static_cast<int>(number);
}

}  // namespace

namespace tests {

std::string address_of(int device) { return fmt::format("{:04x}:00:00.0", device); }

bool works(cudaStream_t stream) {
  constexpr int tasks_before_a_fault = 3;
  if (++stream->tasks > tasks_before_a_fault) {
    if (is_injected("gpu_lost", stream->device)) stream->failed = cudaErrorUnknown;
    if (is_injected("gpu_uncorrectable", stream->device)) stream->failed = cudaErrorECCUncorrectable;
  }
  return stream->failed == cudaSuccess;
}

DeviceMemory::DeviceMemory(std::uint64_t* begin, const std::string& device)
    : begin_(begin),
      kept_(is_injected("gpu_stuck_bit", device) ? ~(std::uint64_t{1} << broken_bit) : ~std::uint64_t{0}),
      lines_(is_injected("gpu_stuck_address", device) ? ~line : ~std::uint64_t{0}) {}

double copied(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  const auto target = owner(to);
  const auto source = owner(from);
  const bool between_devices = source && target;
  const auto is_broken = [](std::string_view fault, const std::optional<int>& device) {
    return device && is_injected(fault, address_of(*device));
  };
  double rate = between_devices ? peer_rate : host_rate;
  const bool slow = between_devices ? is_broken("gpu_slow_peers", source) || is_broken("gpu_slow_peers", target)
                                    : is_broken("gpu_slow_in", target) || is_broken("gpu_slow_out", source);
  const bool wrong = between_devices ? is_broken("gpu_miscopies_to_peers", source)
                                     : is_broken("gpu_miscopies_in", target) || is_broken("gpu_miscopies_out", source);
  if (slow) rate /= 2;
  if (wrong) static_cast<std::byte*>(to)[bytes / 2] ^= std::byte{4};
  if (bytes < 4096) return is_broken("gpu_slow_latency", source ? source : target) ? 2 * latency : latency;
  return static_cast<double>(bytes) / rate;
}

}  // namespace tests

namespace benchmarks::cuda {

int device_at(const std::string& pci_address) {
  if (is_injected("gpu_no_driver"))
    throw Error("cudaDeviceGetByPCIBusId failed: CUDA driver version is insufficient for CUDA runtime version");
  if (is_injected("gpu_hidden", pci_address) || pci_address == "ffff:ff:1f.0")
    throw Error("cudaDeviceGetByPCIBusId of " + pci_address + " failed: invalid device ordinal");
  return std::stoi(pci_address.substr(0, 4), nullptr, 16);
}

bool shares_page_tables(int) { return false; }

Device described(int index) {
  const auto address = tests::address_of(index);
  return {.index = index,
          .name = is_injected("gpu_of_another_model", address) ? "NVIDIA H100 PCIe" : "NVIDIA H100 80GB HBM3",
          .memory_bytes = static_cast<double>(memory_bytes),
          .compute_capability = "9.0",
          .pci_address = address,
          .multiprocessors = 132};
}

}  // namespace benchmarks::cuda
}  // namespace muster

using namespace muster;

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorDevicesUnavailable:
      return "CUDA-capable device(s) is/are busy or unavailable";
    case cudaErrorECCUncorrectable:
      return "uncorrectable ECC error encountered";
    case cudaErrorInvalidValue:
      return "invalid argument";
    default:
      return "unknown error";
  }
}
cudaError_t cudaGetLastError() { return cudaSuccess; }

cudaError_t cudaSetDevice(int device) {
  setenv(device_now, tests::address_of(device).c_str(), 1);
  return is_broken("gpu_exclusive") ? cudaErrorDevicesUnavailable : cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;  // is asked for one thing alone, which all have alike
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  switch (which) {
    case cudaDevAttrL2CacheSize:
      *value = cache_bytes;
      break;
    case cudaDevAttrMemoryClockRate:
      *value = memory_kilohertz;
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      *value = memory_bits;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = memory_bytes;
  *free = is_broken("gpu_full") ? little_bytes : is_broken("gpu_half_full") ? memory_bytes / 2 : memory_bytes;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (bytes > memory_bytes) return cudaErrorMemoryAllocation;
  if (bytes > memory_bytes * 99 / 100 && is_broken("gpu_in_pieces")) return cudaErrorMemoryAllocation;
  for (auto place = range_of(number_of(current_device()));; place += memory_bytes) {
    *memory = mmap(std::bit_cast<void*>(place), memory_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (*memory != MAP_FAILED) return cudaSuccess;
  }
}
cudaError_t cudaFree(void* memory) {
  munmap(memory, memory_bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  if (is_broken("gpu_refuses")) return cudaErrorInvalidValue;
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  if (tests::works(stream)) stream->now += tests::copied(to, from, bytes);
  return cudaSuccess;
}
// One word, which may be the broken one, or much.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  std::uint64_t word = 0;
  if (kind != cudaMemcpyHostToDevice || bytes != sizeof word) {
    tests::copied(to, from, bytes);
    return cudaSuccess;
  }
  std::memcpy(&word, from, sizeof word);
  const auto offset = std::bit_cast<std::uintptr_t>(to) % memory_bytes;
  tests::DeviceMemory(static_cast<std::uint64_t*>(to) - offset / sizeof word, current_device())
      .store(offset / sizeof word, word);
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* reachable, int device, int peer) {
  const bool refused =
      is_injected("gpu_no_peers", tests::address_of(device)) || is_injected("gpu_no_peers", tests::address_of(peer));
  *reachable = refused ? 0 : 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() {
  if (is_broken("gpu_uncorrectable")) return cudaErrorECCUncorrectable;
  return is_broken("gpu_lost") ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = std::make_unique<CUstream_st>(CUstream_st{.device = current_device()}).release();
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::unique_ptr<CUstream_st> owned(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return stream->failed; }
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  constexpr int tasks_before_it_hangs = 10;
  if (stream->tasks > tasks_before_it_hangs && is_injected("gpu_hangs", stream->device)) return cudaErrorNotReady;
  return stream->failed;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->passed = stream->now;
  return cudaSuccess;
}
