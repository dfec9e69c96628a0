// SPDX-License-Identifier: Apache-2.0
// What the NVML of every driver has.
#include "tests/support/nvml_gpus.hpp"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace muster::tests::nvml {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return std::getenv("MUSTER_NVML_GPUS"); }

fs::path file_of(std::string_view address) { return folder() / (std::string(address) + ".json"); }

// A GPU's handle is its domain and bus.
Device device_of(std::string_view address) {
  std::uintptr_t domain = 0;
  std::uintptr_t bus = 0;
  std::from_chars(address.data(), address.data() + 4, domain, 16);
  std::from_chars(address.data() + 5, address.data() + 7, bus, 16);
  return std::bit_cast<Device>(domain << 8 | bus);
}

std::string address_of(Device device) {
  const auto handle = std::bit_cast<std::uintptr_t>(device);
  std::string address("0000:00:00.0");
  std::snprintf(address.data(), address.size() + 1, "%04zx:%02zx:00.0", handle >> 8, handle & 0xff);
  return address;
}

}  // namespace

Json library() { return Json::parse(std::ifstream(folder() / "nvml.json")); }

Json gpu_of(Device device) { return Json::parse(std::ifstream(file_of(address_of(device)))); }

}  // namespace muster::tests::nvml

using namespace muster::benchmarks::nvml;
using namespace muster::tests::nvml;

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): NVML's names

Code nvmlInitWithFlags(unsigned flags) {
  if (flags != even_without_gpus) return Code::not_supported;
  unsigned started = 0;
  return number(library(), "nvmlInitWithFlags", &started);
}
Code nvmlShutdown() { return Code::success; }

// NVML's own words for the errors that tests inject.
const char* nvmlErrorString(Code code) {
  switch (code) {
    case Code::not_found:
      return "Not Found";
    case Code::driver_not_loaded:
      return "Driver Not Loaded";
    case Code::gpu_is_lost:
      return "GPU is lost";
    case Code::reset_required:
      return "GPU requires reset";
    default:
      return "Unknown Error";
  }
}

Code nvmlSystemGetDriverVersion(char* buffer, unsigned size) {
  return text(library(), "nvmlSystemGetDriverVersion", buffer, size);
}
Code nvmlSystemGetNVMLVersion(char* buffer, unsigned size) {
  return text(library(), "nvmlSystemGetNVMLVersion", buffer, size);
}
Code nvmlDeviceGetHandleByPciBusId_v2(const char* address, Device* device) {
  if (!fs::exists(file_of(address))) return Code::not_found;
  *device = device_of(address);
  unsigned found = 0;
  return number(gpu_of(*device), "nvmlDeviceGetHandleByPciBusId_v2", &found);
}
Code nvmlDeviceGetName(Device device, char* buffer, unsigned size) {
  return text(gpu_of(device), "nvmlDeviceGetName", buffer, size);
}
// NOLINTEND(readability-identifier-naming)
}
