// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/nvlink.hpp"

#include <algorithm>
#include <limits>

namespace muster::topology {
namespace {

// Of one link, by the GPU's compute capability. Source: NVIDIA's data sheets; P100 has 160 GB/s in both directions over
// 4 links, V100 300 over 6, A100 600 over 12, H100 and H200 900 over 18, B200 1800 over 18.
double rate_of_link(std::int64_t sm) {
  if (sm >= 100 && sm < 110) return 50e9;
  if (sm == 70 || sm == 80 || sm == 90) return 25e9;
  return sm == 60 ? 20e9 : 0;
}

double rate(const PciNode& node, const Gpu& gpu) {
  std::int64_t links = 0;
  for (const NvLink& link : gpu.nvlinks)
    if (link.target != node.address) links += link.count.value_or(0);
  return static_cast<double>(links) * rate_of_link(gpu.sm.value_or(0));
}

}  // namespace

NvlinkDomain nvlink_domain(const Machine& machine) {
  NvlinkDomain domain{.rate = std::numeric_limits<double>::infinity()};
  for (const DeviceLocation& placed : devices(machine, DeviceKind::gpu))
    for (const Gpu& gpu : placed.node->gpus) {
      ++domain.gpus;
      domain.has_c2c |= !gpu.c2cs.empty();
      domain.rate = std::min(domain.rate, rate(*placed.node, gpu));
    }
  if (domain.gpus == 0) domain.rate = 0;
  return domain;
}

}  // namespace muster::topology
