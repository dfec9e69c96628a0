// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace muster::benchmarks::host {

// The most memory in bytes, a power of two up to 1 GiB, that this process has room for and can lock as RDMA does:
// RLIMIT_MEMLOCK, or what CAP_IPC_LOCK allows beyond it. 0 when not even a page. Little of it is touched.
std::size_t lockable_bytes();

}  // namespace muster::benchmarks::host
