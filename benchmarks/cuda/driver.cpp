// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <bit>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::cuda {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = std::bit_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw Error(fmt::format("the GPU driver has no {}: it is too old", name));
}

Driver load() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);  // stays as long as the process
  if (library == nullptr) throw Error(fmt::format("there is no GPU driver: {}", dlerror()));
  Driver driver{};
  find(library, "cuGetErrorString", driver.error_string);
  find(library, "cuPointerSetAttribute", driver.pointer_set_attribute);
  find(library, "cuMemGetHandleForAddressRange", driver.memory_file);
  return driver;
}

}  // namespace

const Driver& driver() {
  static const Driver loaded = load();
  return loaded;
}

void require_driver(CUresult result, std::string_view call) {
  if (result == CUDA_SUCCESS) return;
  const char* words = nullptr;
  driver().error_string(result, &words);
  throw Error(fmt::format("{} failed: {}", call, words == nullptr ? "an unknown error" : words));
}

}  // namespace muster::benchmarks::cuda
