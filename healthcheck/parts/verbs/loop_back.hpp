// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/parts/verbs/rdma.hpp"

namespace muster::healthcheck {

// RDMA of each active port with itself, one port after the other.
void measure_in_loop_back(Context& context, const RdmaRequest& request);

}  // namespace muster::healthcheck
