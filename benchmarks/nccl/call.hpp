// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <string_view>

namespace muster::benchmarks::nccl {

// Throws Error with NCCL's own words when a call did not succeed.
void require_nccl(ncclResult_t result, std::string_view call);

}  // namespace muster::benchmarks::nccl
