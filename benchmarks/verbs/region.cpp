// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/verbs/region.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <bit>
#include <cerrno>
#include <cstdint>

#include "benchmarks/error.hpp"
#include "benchmarks/verbs/call.hpp"
#include "results/quantity.hpp"

namespace muster::benchmarks {
namespace {

constexpr int access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
constexpr std::size_t trial_bytes = std::size_t{64} << 10;

std::string amount(double bytes) { return results::to_text(results::Quantity{bytes, results::Unit::byte}); }

ibv_mr* by_address(ibv_pd* domain, const Memory& memory) {
  return ibv_reg_mr(domain, memory.range().data(), memory.range().size(), access);
}

ibv_mr* by_file(ibv_pd* domain, Memory& memory) {
  const auto range = memory.range();
  return ibv_reg_dmabuf_mr(domain, 0, range.size(), std::bit_cast<std::uint64_t>(range.data()), memory.file(), access);
}

// Locked memory is what containers and shells run out of first.
MemoryRegion locked(ibv_pd* domain, const Memory& memory) {
  if (auto* region = by_address(domain, memory)) return MemoryRegion(region);
  const auto size = amount(static_cast<double>(memory.range().size()));
  rlimit limit{};
  if (errno != ENOMEM || getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    verbs_failed("ibv_reg_mr of " + size);
  throw Error(fmt::format(
      "{} cannot be locked, the limit of this process is {}: raise it (ulimit -l, LimitMEMLOCK= of the container "
      "runtime's service); in a pod the capability IPC_LOCK helps only where the container runs as root",
      size, amount(static_cast<double>(limit.rlim_cur))));
}

}  // namespace

Region registered(ibv_pd* domain, Memory& memory) {
  if (!memory.is_of_gpu()) return {.handle = locked(domain, memory), .gpudirect = {}};
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

}  // namespace muster::benchmarks
