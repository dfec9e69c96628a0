// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/locked_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "benchmarks/host/mapping.hpp"

namespace muster::benchmarks {
namespace {

constexpr std::size_t most_locked = std::size_t{1} << 30;
constexpr std::size_t least_locked = 4096;
constexpr std::size_t touched = std::size_t{16} << 20;

}  // namespace

std::size_t lockable_bytes() {
  const Mapping mapping(most_locked / sizeof(double), Mapping::Pages::ordinary);
  void* const memory = mapping.values().data();
  for (std::size_t bytes = most_locked; bytes >= least_locked; bytes /= 2) {
    // Pages count against the limit at once and are locked as they are touched, so that little memory is used.
    if (mlock2(memory, bytes, MLOCK_ONFAULT) != 0) continue;
    std::memset(memory, 1, std::min(bytes, touched));
    return bytes;
  }
  return 0;
}

}  // namespace muster::benchmarks
