// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <x86intrin.h>

#include "benchmarks/host/time_stamp.hpp"

namespace muster::benchmarks::host {

std::optional<std::uint64_t> time_stamp() {
  static const bool is_forbidden = [] {
    int setting = PR_TSC_ENABLE;
    return prctl(PR_GET_TSC, &setting) == 0 && setting == PR_TSC_SIGSEGV;
  }();
  if (is_forbidden) return std::nullopt;
  return __rdtsc();
}

}  // namespace muster::benchmarks::host
