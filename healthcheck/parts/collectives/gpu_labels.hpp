// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/values/measurement.hpp"
#include "topology/kernel/sysfs.hpp"

namespace muster::healthcheck {

// The labels of a GPU and of the NIC beside it: "gpu" as CUDA counts all of them by their PCI addresses, "pci" and
// "nic"; without what this machine does not tell.
results::Labels gpu_labels(const topology::Sysfs& sysfs, const std::string& pci_address);

}  // namespace muster::healthcheck
