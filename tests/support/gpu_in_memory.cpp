// SPDX-License-Identifier: Apache-2.0
#include "tests/support/gpu_in_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <sstream>
#include <string>
#include <system_error>

#include "benchmarks/error.hpp"
#include "benchmarks/memory/memory.hpp"
#include "tests/support/injected.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster {
namespace {

using tests::is_injected;

constexpr const char* name = "gpu_in_memory";

class GpuInMemory final : public benchmarks::Memory {
 public:
  explicit GpuInMemory(std::size_t bytes) : bytes_(bytes), file_(memfd_create(name, 0)) {
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes)) != 0)
      throw std::system_error(errno, std::generic_category());
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory_ == MAP_FAILED) throw std::system_error(errno, std::generic_category());
  }
  ~GpuInMemory() override {
    munmap(memory_, bytes_);
    close(file_);
  }
  GpuInMemory(const GpuInMemory&) = delete;
  GpuInMemory& operator=(const GpuInMemory&) = delete;

  std::span<std::byte> range() const override { return {static_cast<std::byte*>(memory_), bytes_}; }
  bool is_of_gpu() const override { return true; }
  void store(std::span<const std::byte> data, std::size_t offset) override {
    std::ranges::copy(data, range().subspan(offset).begin());
  }
  void load(std::span<std::byte> data, std::size_t offset) const override {
    if (!data.empty() && is_injected("gpu_copy"))
      throw benchmarks::Error("cudaMemcpy from the GPU failed: an illegal memory access");
    std::ranges::copy(range().subspan(offset, data.size()), data.begin());
  }
  int file() override {
    if (is_injected("gpu_no_dma_buf") || is_injected("gpu_unreachable"))
      throw benchmarks::Error("cuMemGetHandleForAddressRange failed: operation not supported");
    return file_;
  }

 private:
  std::size_t bytes_;
  int file_;
  void* memory_ = nullptr;
};

}  // namespace

namespace benchmarks {

std::unique_ptr<Memory> make_memory(std::size_t bytes, const std::string& gpu) {
  if (gpu.empty()) return make_host_memory(bytes);
  if (is_injected("gpu_none")) throw Error("this program was built without CUDA");
  return std::make_unique<GpuInMemory>(bytes);
}

}  // namespace benchmarks

namespace tests {

bool is_on_gpu(const void* address) {
  std::istringstream maps(topology::Sysfs().text("proc/self/maps").value_or(""));
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  char dash = 0;
  for (std::string rest; maps >> std::hex >> begin >> dash >> end && std::getline(maps, rest);)
    if (begin <= std::bit_cast<std::uintptr_t>(address) && std::bit_cast<std::uintptr_t>(address) < end)
      return rest.find(name) != std::string::npos;
  return false;
}

bool is_file_of_gpu(int file) {
  const auto target = topology::Sysfs().link(fmt::format("proc/self/fd/{}", file));
  return target && target->find(name) != std::string::npos;
}

}  // namespace tests
}  // namespace muster
