// SPDX-License-Identifier: Apache-2.0
// Memory of a real GPU, as adapters are told of it.
#include "benchmarks/memory/memory.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::cuda {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;

bool begins(const Error& error, std::string_view words) { return std::string_view(error.what()).starts_with(words); }

class GpuMemory : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "CUDA finds no GPU here";
    std::array<char, 32> pci{};
    ASSERT_EQ(cudaDeviceGetPCIBusId(pci.data(), pci.size(), 0), cudaSuccess);
    gpu_ = pci.data();
  }

  std::string gpu_;
};

TEST_F(GpuMemory, HoldsWhatIsStored) {
  for (const std::size_t bytes : {std::size_t{16}, std::size_t{64} << 10, page + 16}) {
    const auto memory = make_memory(bytes, gpu_);
    EXPECT_TRUE(memory->is_of_gpu());
    EXPECT_EQ(memory->range().size(), bytes);
    std::vector<std::byte> given(bytes - 8);
    for (std::size_t at = 0; at < given.size(); ++at) given[at] = static_cast<std::byte>(at * 7 + at / 256);
    memory->store(given, 8);
    std::vector<std::byte> taken(given.size());
    memory->load(taken, 8);
    EXPECT_EQ(taken, given);
    memory->store(std::array{std::byte{1}, std::byte{2}}, 9);
    memory->load(taken, 8);
    EXPECT_EQ(taken[1], std::byte{1});
    EXPECT_EQ(taken[2], std::byte{2});
    EXPECT_EQ(taken[3], given[3]);
  }
}

TEST_F(GpuMemory, BeginsWithAPage) {
  const auto one = make_memory(8, gpu_);
  const auto other = make_memory(8, gpu_);
  for (const auto* memory : {one.get(), other.get()})
    EXPECT_EQ(std::bit_cast<std::uintptr_t>(memory->range().data()) % page, 0);
}

TEST_F(GpuMemory, IsInAFileOrTheDriverSaysWhyNot) {
  const auto memory = make_memory(page + 8, gpu_);
  try {
    const auto file = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(memory->file()));
    EXPECT_NE(file.string().find("dmabuf"), std::string::npos) << file;
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cuMemGetHandleForAddressRange(DMA_BUF_FD) failed: operation not supported");
  }
}

TEST_F(GpuMemory, OfAGpuThatIsNotThereIsRefusedByItsAddress) {
  try {
    make_memory(8, "ffff:ff:1f.0");
    FAIL() << "there is no such GPU";
  } catch (const Error& error) {
    EXPECT_TRUE(begins(error, "cudaDeviceGetByPCIBusId of ffff:ff:1f.0 failed: ")) << error.what();
  }
}

}  // namespace
}  // namespace muster::benchmarks::cuda
