// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "healthcheck/parts/verbs/rdma.hpp"

namespace muster::healthcheck {

// RDMA between hosts in disjoint pairs, all their ports at once, each with the one that has its number on the other
// host. Collective; the facts of all hosts are reported.
void measure_between_hosts(Context& context, const RdmaRequest& request);

}  // namespace muster::healthcheck
