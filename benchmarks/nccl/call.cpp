// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/nccl/call.hpp"

#include <fmt/format.h>

#include <string>

#include "benchmarks/error.hpp"

namespace muster::benchmarks::nccl {

void require_nccl(ncclResult_t result, std::string_view call) {
  if (result == ncclSuccess) return;
  const std::string last = ncclGetLastError(nullptr);
  throw Error(fmt::format("{} failed: {}{}{}", call, ncclGetErrorString(result), last.empty() ? "" : ": ", last));
}

}  // namespace muster::benchmarks::nccl
