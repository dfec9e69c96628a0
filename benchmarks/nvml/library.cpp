// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nvml/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::nvml {
namespace {

constexpr Call<Code> error_string{"nvmlErrorString"};  // the one that returns no code

// Stays as long as the process.
void* open_library() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (library == nullptr) throw NoLibrary(fmt::format("there is no NVML: {}", dlerror()));
  return library;
}

}  // namespace

Library::Library() : library_(open_library()) {
  if (const auto code = call(init, even_without_gpus); code != Code::success)
    throw Error(fmt::format("NVML does not start: {}", words(code)));
}

Library::~Library() { call(shutdown); }

void* Library::find(const char* name) const { return dlsym(library_, name); }

Answer<std::string> Library::text(const Call<char*, unsigned>& call) const {
  std::array<char, 96> buffer{};  // NVML_DEVICE_UUID_V2_BUFFER_SIZE, the longest
  const auto code = this->call(call, buffer.data(), static_cast<unsigned>(buffer.size()));
  return answer(code, std::string(buffer.data()));
}

Answer<bool> Library::confidential() const {
  ConfidentialState state{};
  const auto code = call(confidential_state, &state);
  return answer(code, state.feature != 0);
}

std::string Library::words(Code code) const {
  if (code == Code::function_not_found) return "this driver's NVML does not know of it";
  const auto function = std::bit_cast<const char* (*)(Code)>(find(error_string.name));
  const char* said = function == nullptr ? nullptr : function(code);
  return said == nullptr ? fmt::format("error {}", static_cast<int>(code)) : said;
}

}  // namespace muster::benchmarks::nvml
