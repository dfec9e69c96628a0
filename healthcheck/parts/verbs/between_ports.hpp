// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/parts/verbs/rdma.hpp"

namespace muster::healthcheck {

// RDMA between the active ports of this machine in disjoint pairs, all at once; of latencies one pair after the other.
void measure_between_ports(Context& context, const RdmaRequest& request);

}  // namespace muster::healthcheck
