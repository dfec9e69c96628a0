// SPDX-License-Identifier: Apache-2.0
// Preloaded into a job on GPUs: breaks what NCCL does on rank MUSTER_FAULT_RANK, a moment after its first call.
// MUSTER_FAULT: wrong_element (in the result, on the device), stops.
#include <dlfcn.h>
#include <nccl.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds until_faults{20};  // so that the job measures when they come
constexpr std::size_t element = 7;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Of the CUDA driver, which the process has loaded already.
void spoil(void* result, cudaStream_t stream) {
  using Memset = int(std::uintptr_t, unsigned char, std::size_t, cudaStream_t);
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto* memset = reinterpret_cast<Memset*>(dlsym(driver, "cuMemsetD8Async"));
  memset(reinterpret_cast<std::uintptr_t>(result) + element * sizeof(float), 0x5a, 1, stream);
}

}  // namespace

extern "C" ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                                      ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  static const bool faulty = variable("MUSTER_FAULT_RANK") == variable("OMPI_COMM_WORLD_RANK");
  static const auto fault = variable("MUSTER_FAULT");
  static const auto first = Clock::now();
  const auto result = next<decltype(ncclAllReduce)>("ncclAllReduce")(from, to, count, type, op, comm, stream);
  if (!faulty || Clock::now() < first + until_faults || count <= element) return result;
  if (fault == "wrong_element") spoil(to, stream);
  if (fault == "stops") std::raise(SIGSTOP);
  return result;
}
