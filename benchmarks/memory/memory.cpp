// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/memory/memory.hpp"

#include <algorithm>

#include "benchmarks/error.hpp"
#include "benchmarks/host/mapping.hpp"

namespace muster::benchmarks {
namespace {

class HostMemory final : public Memory {
 public:
  explicit HostMemory(std::size_t bytes) : mapping_((bytes + sizeof(double) - 1) / sizeof(double)) {}

  std::span<std::byte> range() const override { return std::as_writable_bytes(mapping_.values()); }
  bool is_of_gpu() const override { return false; }
  void store(std::span<const std::byte> data, std::size_t offset) override {
    std::ranges::copy(data, range().subspan(offset).begin());
  }
  void load(std::span<std::byte> data, std::size_t offset) const override {
    std::ranges::copy(range().subspan(offset, data.size()), data.begin());
  }
  int file() override { throw Error("memory of the host is in no file"); }

 private:
  host::Mapping mapping_;
};

}  // namespace

std::unique_ptr<Memory> make_host_memory(std::size_t bytes) { return std::make_unique<HostMemory>(bytes); }

}  // namespace muster::benchmarks
