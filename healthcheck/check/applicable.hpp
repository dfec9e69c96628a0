// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "healthcheck/check/check.hpp"
#include "topology/kernel/sysfs.hpp"
#include "topology/machine/machine_summary.hpp"

namespace muster::healthcheck {

// Why this machine cannot run the check ("no NVIDIA GPU"); empty when it can.
std::string cannot_run(const Description& check, const topology::MachineSummary& machine);

// The same of a check that can run, but would find nothing of what it measures ("no RDMA device").
std::string nothing_to_measure(const Description& check, const topology::Sysfs& sysfs,
                               const topology::MachineSummary& machine);

}  // namespace muster::healthcheck
