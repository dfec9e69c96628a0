// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "healthcheck/check/context.hpp"
#include "topology/cpu/usable_cpus.hpp"

namespace muster::healthcheck {

// The most ranks of one host that have to share a CPU, given the CPUs of each of them: 1 or less where each can have
// one to itself. Of ranks whose CPUs are among those of others both are counted.
double ranks_per_cpu(std::span<const topology::UsableCpus> ranks);

// Reports rank_cpus, the CPUs that ranks may use, and ranks_per_cpu of each host, in metrics that begin with the name
// of the check. All ranks make the same call.
void add_rank_cpus(Context& context, const std::string& check);

}  // namespace muster::healthcheck
