// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/lint_nvlinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "topology/devices/bus_id.hpp"
#include "topology/nccl/most_frequent.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view class_of_gpus = "0x03";
constexpr std::string_view class_of_cpus = "0x068001";

bool is_of(const NvLink& link, std::string_view device_class) { return link.target_class.starts_with(device_class); }

struct LinkedGpu {
  UnevenGpu gpu;
  std::int64_t to_absent = 0;  // GPUs that the file does not have
};

LinkedGpu linked(const PciNode& node, const Gpu& gpu, const std::set<std::string>& addresses) {
  LinkedGpu linked{.gpu = {.node = &node, .gpu = &gpu}};
  for (const NvLink& link : gpu.nvlinks) {
    if (link.target == node.address || is_of(link, class_of_cpus)) continue;
    const bool is_there = addresses.contains(lower_case(link.target));
    linked.gpu.links += link.count.value_or(0);
    if (is_of(link, class_of_gpus) && !is_there) linked.to_absent += link.count.value_or(0);
    if (!is_of(link, class_of_gpus) && !is_there) linked.gpu.by_switches = true;  // what NCCL takes all others for
  }
  return linked;
}

}  // namespace

std::vector<UnevenGpu> uneven_gpus(const Machine& machine) {
  const auto located = devices(machine, DeviceKind::gpu);
  std::set<std::string> addresses;
  for (const DeviceLocation& device : located) addresses.insert(lower_case(device.node->address));
  std::map<Number, std::vector<LinkedGpu>> by_capability;
  for (const DeviceLocation& device : located)
    for (const Gpu& gpu : device.node->gpus) by_capability[gpu.sm].push_back(linked(*device.node, gpu, addresses));
  std::vector<UnevenGpu> uneven;
  for (const auto& [capability, siblings] : by_capability) {
    const bool by_switches = std::ranges::any_of(siblings, [](const LinkedGpu& one) { return one.gpu.by_switches; });
    std::vector<std::int64_t> links;
    for (const LinkedGpu& one : siblings) links.push_back(one.gpu.links - (by_switches ? one.to_absent : 0));
    const auto usual = most_frequent(links);
    for (std::size_t at = 0; at < siblings.size(); ++at) {
      if (links[at] == usual) continue;
      const auto& gpu = siblings[at].gpu;
      uneven.push_back(
          {.node = gpu.node, .gpu = gpu.gpu, .links = links[at], .usual = usual, .by_switches = by_switches});
    }
  }
  return uneven;
}

std::string to_text(const UnevenGpu& gpu) {
  return fmt::format("this GPU has {} NVLinks and its siblings have {}; NCCL plans all rings with the least", gpu.links,
                     gpu.usual);
}

Findings lint_nvlinks(const TopologyFile& file) {
  Findings findings;
  for (const DeviceLocation& device : devices(file.machine, DeviceKind::gpu))
    for (const Gpu& gpu : device.node->gpus)
      if (std::ranges::any_of(gpu.nvlinks, [&](const NvLink& link) { return link.target == device.node->address; }))
        findings.push_back(file.finding(Severity::warning, TopologyDefect::nvlink, device.node->address,
                                        "its NVLinks lead to itself, and NCCL does not use them"));
  for (const UnevenGpu& gpu : uneven_gpus(file.machine))
    findings.push_back(file.finding(gpu.by_switches ? Severity::error : Severity::warning, TopologyDefect::uneven,
                                    gpu.node->address, to_text(gpu)));
  return findings;
}

}  // namespace muster::topology
