// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/lint_nvlinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topology/devices/bus_id.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view nvswitch_class = "0x068000";

struct LinkedGpu {
  const PciNode* node = nullptr;
  std::int64_t links = 0;
  bool by_switches = false;
};

LinkedGpu linked(const PciNode& node, const Gpu& gpu) {
  LinkedGpu linked{.node = &node};
  for (const NvLink& link : gpu.nvlinks) {
    if (link.target == node.address) continue;
    linked.links += link.count.value_or(0);
    linked.by_switches = linked.by_switches || link.target_class == nvswitch_class;
  }
  return linked;
}

// What most of them have, and the larger of two that are as frequent.
std::int64_t usual(const std::vector<LinkedGpu>& gpus) {
  std::map<std::int64_t, int> counts;
  for (const LinkedGpu& gpu : gpus) ++counts[gpu.links];
  std::int64_t usual = 0;
  int most = 0;
  for (const auto& [links, count] : counts) {
    if (count >= most) usual = links;
    most = std::max(most, count);
  }
  return usual;
}

Finding finding(const TopologyFile& file, const PciNode& node, TopologyDefect wrong, Severity severity,
                std::string what) {
  return {.wrong = wrong,
          .severity = severity,
          .device = lower_case(node.address),
          .line = file.line(node.address),
          .what = std::move(what)};
}

}  // namespace

Findings lint_nvlinks(const TopologyFile& file) {
  Findings findings;
  std::map<Number, std::vector<LinkedGpu>> by_capability;
  for (const DeviceLocation& device : devices(file.machine, DeviceKind::gpu))
    for (const Gpu& gpu : device.node->gpus) {
      by_capability[gpu.sm].push_back(linked(*device.node, gpu));
      if (std::ranges::any_of(gpu.nvlinks, [&](const NvLink& link) { return link.target == device.node->address; }))
        findings.push_back(finding(file, *device.node, TopologyDefect::nvlink, Severity::warning,
                                   "its NVLinks lead to itself, and NCCL does not use them"));
    }
  for (const auto& [capability, gpus] : by_capability) {
    const auto most = usual(gpus);
    const bool by_switches = std::ranges::any_of(gpus, &LinkedGpu::by_switches);
    for (const LinkedGpu& gpu : gpus)
      if (gpu.links != most)
        findings.push_back(finding(file, *gpu.node, TopologyDefect::uneven,
                                   by_switches ? Severity::error : Severity::warning,
                                   fmt::format("this GPU has {} NVLinks and its siblings have {}; NCCL plans all rings "
                                               "with the least",
                                               gpu.links, most)));
  }
  return findings;
}

}  // namespace muster::topology
