// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/host/memory_kernels.hpp"

namespace muster::benchmarks::host {

std::vector<KernelSet> supported_kernels() { return {portable_kernels()}; }

}  // namespace muster::benchmarks::host
