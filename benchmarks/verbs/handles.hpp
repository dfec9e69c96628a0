// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <infiniband/verbs.h>

#include "benchmarks/handle.hpp"

// What libibverbs makes and wants back, in the reverse order.
namespace muster::benchmarks::verbs {

using OpenDevice = Handle<ibv_context, ibv_close_device>;
using ProtectionDomain = Handle<ibv_pd, ibv_dealloc_pd>;
using MemoryRegion = Handle<ibv_mr, ibv_dereg_mr>;
using CompletionQueue = Handle<ibv_cq, ibv_destroy_cq>;
using QueuePair = Handle<ibv_qp, ibv_destroy_qp>;

}  // namespace muster::benchmarks::verbs
