// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "benchmarks/disk/area.hpp"
#include "benchmarks/disk/workload.hpp"
#include "healthcheck/check/context.hpp"
#include "results/values/measurement.hpp"
#include "topology/devices/nvme.hpp"

// What facts of several checks of disks have in common.
namespace muster::healthcheck {

// Which drive: drive, pci and serial, without what it does not have.
results::Labels labels_of(const topology::NvmeDrive& drive);

// What was done there: pattern, size and depth.
results::Labels labels_of(const benchmarks::disk::Workload& workload, results::Labels where);

// CHECK.wrong_blocks and, where there are any, CHECK.first_wrong.
void add_wrong(Context& context, std::string_view check, const benchmarks::disk::WrongBlocks& wrong,
               const results::Labels& labels);

}  // namespace muster::healthcheck
