// SPDX-License-Identifier: Apache-2.0
// What the check gpu_memory needs of CUDA, in the host's memory: GPUs at 0001:00:00.0 and so on, with 4 MiB each,
// whose time is reckoned as that of an H100. MUSTER_FAULT breaks that of MUSTER_FAULT_DEVICE:
//
//   gpu_no_driver, gpu_hidden (CUDA_VISIBLE_DEVICES), gpu_exclusive, gpu_full, gpu_half_full, gpu_in_pieces,
//   gpu_slow (all kernels), gpu_slow_dot, gpu_too_fast,
//   gpu_stuck_bit, gpu_stuck_address, gpu_flipped_bit (once), gpu_misread (once), gpu_loses_writes (of streams),
//   gpu_uncorrectable, gpu_lost (both in the middle of the test)
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "benchmarks/cuda/device.hpp"
#include "benchmarks/cuda/gate.hpp"
#include "benchmarks/cuda/stream_kernels.hpp"
#include "benchmarks/cuda/word_kernels.hpp"
#include "benchmarks/error.hpp"
#include "tests/support/injected.hpp"
#include "tests/support/tested_gpu.hpp"

struct CUstream_st {
  std::string device;
  double now = 0;  // in seconds
  int sweeps = 0;
  bool fault_is_over = false;  // one that comes once
  cudaError_t failed = cudaSuccess;
};

struct CUevent_st {
  double passed = 0;
};

namespace muster {
namespace {

using tests::is_injected;

constexpr std::size_t broken_word = 1234;
constexpr int broken_bit = 17;
constexpr std::size_t small_bytes = 1 << 18;  // what is beside the tested memory is less
constexpr std::size_t memory_bytes = std::size_t{4} << 20;
constexpr int cache_bytes = 1 << 16;
constexpr double memory_rate = 3.352e12 * 0.89;  // of an H100 80GB HBM3 by kernels
constexpr int memory_kilohertz = 2'619'000;
constexpr int memory_bits = 5120;
constexpr const char* device_now = "MUSTER_TEST_DEVICE";  // which cudaSetDevice has set
constexpr std::uint64_t line = 1 << 12;                   // of the address, that is always low

std::string address_of(int device) { return fmt::format("{:04x}:00:00.0", device); }
std::string current_device() { return std::getenv(device_now); }
bool is_broken(std::string_view fault) { return is_injected(fault, current_device()); }

// Where a device's memory is, so that an address tells the device and the word.
std::uintptr_t memory_of(std::string_view device) {
  return std::uintptr_t{std::stoul(std::string(device.substr(0, 4)), nullptr, 16) + 1} << 36;
}

class Words {
 public:
  Words(std::uint64_t* begin, std::string_view device)
      : begin_(begin),
        kept_(is_injected("gpu_stuck_bit", device) ? ~(std::uint64_t{1} << broken_bit) : ~std::uint64_t{0}),
        lines_(is_injected("gpu_stuck_address", device) ? ~line : ~std::uint64_t{0}) {}

  std::uint64_t load(std::uint64_t index) const { return begin_[index & lines_]; }
  void store(std::uint64_t index, std::uint64_t word) {
    begin_[index & lines_] = index == broken_word ? word & kept_ : word;
  }

 private:
  std::uint64_t* begin_;
  std::uint64_t kept_;   // bits of the broken word
  std::uint64_t lines_;  // of an address
};

// One sweep of so many ways through the words; false where the device has failed.
bool sweeps(const benchmarks::DeviceWords& words, int ways, cudaStream_t stream) {
  stream->now += ways * static_cast<double>(words.count * sizeof(std::uint64_t)) / memory_rate;
  if (++stream->sweeps > 3 && is_injected("gpu_lost", stream->device)) stream->failed = cudaErrorUnknown;
  if (stream->sweeps > 3 && is_injected("gpu_uncorrectable", stream->device))
    stream->failed = cudaErrorECCUncorrectable;
  return stream->failed == cudaSuccess;
}

void compare(std::uint64_t index, std::uint64_t expected, std::uint64_t found, benchmarks::MismatchLog& log) {
  if (found == expected) return;
  if (log.count < benchmarks::MismatchLog::most) log.noted.at(log.count) = {index, expected, found};
  ++log.count;
  log.differing |= expected ^ found;
}

}  // namespace

namespace benchmarks {

Gate::Gate() = default;
Gate::Closed::Closed(Gate& gate, cudaStream_t) : gate_(gate) {}
Gate::Closed::~Closed() = default;

int device_at(const std::string& pci_address) {
  if (is_injected("gpu_no_driver"))
    throw Error("cudaDeviceGetByPCIBusId failed: CUDA driver version is insufficient for CUDA runtime version");
  if (is_injected("gpu_hidden", pci_address) || pci_address == "ffff:ff:1f.0")
    throw Error("cudaDeviceGetByPCIBusId of " + pci_address + " failed: invalid device ordinal");
  return std::stoi(pci_address.substr(0, 4), nullptr, 16);
}

void write_on_device(const DeviceWords& words, const WordPattern& pattern, cudaStream_t stream) {
  if (!sweeps(words, 1, stream)) return;
  Words memory(words.begin, stream->device);
  for (std::uint64_t index = 0; index < words.count; ++index) memory.store(index, pattern.word(index));
  if (!is_injected("gpu_flipped_bit", stream->device) || std::exchange(stream->fault_is_over, true)) return;
  memory.store(broken_word, memory.load(broken_word) ^ std::uint64_t{1} << broken_bit);
}

void verify_on_device(const DeviceWords& words, const WordPattern& pattern, MismatchLog* log, cudaStream_t stream) {
  if (!sweeps(words, 1, stream)) return;
  const Words memory(words.begin, stream->device);
  for (std::uint64_t index = 0; index < words.count; ++index)
    compare(index, pattern.word(index), memory.load(index), *log);
  if (is_injected("gpu_misread", stream->device) && !std::exchange(stream->fault_is_over, true))
    compare(broken_word, pattern.word(broken_word), pattern.word(broken_word) ^ 1, *log);
}

void invert_on_device(const DeviceWords& words, const WordPattern& pattern, Order order, MismatchLog* log,
                      cudaStream_t stream) {
  if (!sweeps(words, 2, stream)) return;
  Words memory(words.begin, stream->device);
  for (std::uint64_t turn = 0; turn < words.count; ++turn) {
    const auto index = order == Order::up ? turn : words.count - 1 - turn;
    compare(index, pattern.word(index), memory.load(index), *log);
    memory.store(index, ~pattern.word(index));
  }
}

void stream_on_device(StreamKernel kernel, const StreamArrays& arrays, std::uint32_t turn, double* sum, int,
                      cudaStream_t stream) {
  double rate = memory_rate;
  if (is_injected("gpu_slow", stream->device)) rate *= 0.7;
  if (is_injected("gpu_slow_dot", stream->device) && kernel == StreamKernel::dot) rate *= 0.7;
  if (is_injected("gpu_too_fast", stream->device)) rate *= 2;
  stream->now += static_cast<double>(arrays_moved(kernel) * arrays.elements * sizeof(double)) / rate;
  const bool is_lost = is_injected("gpu_loses_writes", stream->device) && turn > 0;
  for (std::uint32_t index = 0; index < arrays.elements; ++index) switch (kernel) {
      case StreamKernel::write:
        if (!is_lost || index != broken_word) arrays.c[index] = stream_value(index, turn);
        break;
      case StreamKernel::copy:
        arrays.b[index] = arrays.c[index];
        break;
      case StreamKernel::triad:
        arrays.a[index] = arrays.b[index] + triad_factor * arrays.c[index];
        break;
      case StreamKernel::dot:
        *sum += arrays.a[index] * arrays.b[index];
        break;
      case StreamKernel::read:
        *sum += arrays.a[index];
        break;
    }
}

}  // namespace benchmarks

namespace tests {

std::string first_gpu() { return address_of(1); }
void flip_on_device(std::uint64_t* word, std::uint64_t bits) { *word ^= bits; }

}  // namespace tests

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
    default:
      return "unknown error";
  }
}
cudaError_t cudaGetLastError() { return cudaSuccess; }

cudaError_t cudaSetDevice(int device) {
  setenv(device_now, address_of(device).c_str(), 1);
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
    case cudaDevAttrMultiProcessorCount:
      *value = 132;
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
  *free = is_broken("gpu_full") ? small_bytes : is_broken("gpu_half_full") ? memory_bytes / 2 : memory_bytes;
  return cudaSuccess;
}

// The tested memory has its place, so that words have numbers; the little that is beside it does not.
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (bytes < small_bytes) {
    *memory = std::make_unique<std::byte[]>(bytes).release();
    return cudaSuccess;
  }
  if (bytes > memory_bytes * 99 / 100 && is_broken("gpu_in_pieces")) return cudaErrorMemoryAllocation;
  *memory = mmap(std::bit_cast<void*>(memory_of(current_device())), memory_bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  return *memory == MAP_FAILED ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  if (std::bit_cast<std::uintptr_t>(memory) == memory_of(current_device())) {
    munmap(memory, memory_bytes);
  } else {
    const std::unique_ptr<std::byte[]> owned(static_cast<std::byte*>(memory));
  }
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void*) { return cudaSuccess; }

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const auto begin = memory_of(current_device());
  const auto target = std::bit_cast<std::uintptr_t>(to);
  if (kind == cudaMemcpyHostToDevice && begin <= target && target < begin + memory_bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    Words(std::bit_cast<std::uint64_t*>(begin), current_device()).store((target - begin) / sizeof word, word);
  } else {
    std::memcpy(to, from, bytes);
  }
  return cudaSuccess;
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

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = std::make_unique<CUevent_st>().release();
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const std::unique_ptr<CUevent_st> owned(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->passed = stream->now;
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  *milliseconds = static_cast<float>((stop->passed - start->passed) * 1e3);
  return cudaSuccess;
}
