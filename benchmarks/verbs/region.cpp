// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/region.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "benchmarks/error.hpp"
#include "benchmarks/verbs/call.hpp"

namespace muster::benchmarks::verbs {
namespace {

constexpr int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
constexpr std::size_t trial_bytes = std::size_t{64} << 10;

ibv_mr* by_address(ibv_pd* domain, const Memory& memory) {
  return ibv_reg_mr(domain, memory.range().data(), memory.range().size(), access);
}

ibv_mr* by_file(ibv_pd* domain, Memory& memory) {
  const auto range = memory.range();
  return ibv_reg_dmabuf_mr(domain, 0, range.size(), std::bit_cast<std::uint64_t>(range.data()), memory.file(), access);
}

}  // namespace

Region registered(ibv_pd* domain, Memory& memory) {
  if (!memory.is_of_gpu())
    return {.handle = MemoryRegion(made(by_address(domain, memory), "ibv_reg_mr")), .gpudirect = {}};
  std::string reason;
  try {
    return {.handle = MemoryRegion(made(by_file(domain, memory), "ibv_reg_dmabuf_mr")), .gpudirect = "dma-buf"};
  } catch (const Error& error) {
    reason = error.what();
  }
  try {
    return {.handle = MemoryRegion(made(by_address(domain, memory), "ibv_reg_mr")), .gpudirect = "nvidia-peermem"};
  } catch (const Error& error) {
    throw Error(
        fmt::format("neither by dma-buf ({}) nor by nvidia-peermem ({}); load the module nvidia_peermem, or a "
                    "kernel and driver with dma-buf",
                    reason, error.what()));
  }
}

void expect_reach(const RdmaPort& port, const std::string& gpu) {
  const auto memory = make_memory(trial_bytes, gpu);
  const ProtectionDomain domain(made(ibv_alloc_pd(port.device()), "ibv_alloc_pd"));
  registered(domain.get(), *memory);
}

}  // namespace muster::benchmarks::verbs
