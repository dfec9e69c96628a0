// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/locked_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "benchmarks/error.hpp"
#include "benchmarks/host/mapping.hpp"

namespace muster::benchmarks::host {
namespace {

constexpr std::size_t max_locked = std::size_t{1} << 30;
constexpr std::size_t min_locked = 4096;
constexpr std::size_t touched = std::size_t{16} << 20;

// Pages count against the limit at once and are locked as they are touched, so that little memory is used.
bool can_lock(std::size_t bytes) {
  try {
    const Mapping mapping(bytes / sizeof(double), Mapping::Pages::ordinary);
    if (mlock2(mapping.values().data(), bytes, MLOCK_ONFAULT) != 0) return false;
    std::memset(mapping.values().data(), 1, std::min(bytes, touched));
    return true;
  } catch (const Error&) {
    return false;  // what there is no room for cannot be locked
  }
}

}  // namespace

std::size_t lockable_bytes() {
  for (std::size_t bytes = max_locked; bytes >= min_locked; bytes /= 2)
    if (can_lock(bytes)) return bytes;
  return 0;
}

}  // namespace muster::benchmarks::host
