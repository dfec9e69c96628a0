// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/lint_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/machine/pci_link.hpp"
#include "topology/nccl/most_frequent.hpp"

namespace muster::topology {
namespace {

constexpr std::array<std::int64_t, 8> widths{0, 1, 2, 4, 8, 12, 16, 32};
constexpr double slow_by = 4;  // a switch may be a generation and half the lanes behind what it joins

using Nodes = std::vector<const PciNode*>;

bool has_net(const PciNode& node) { return node.nic && !node.nic->nets.empty(); }

class LinkLinter {
 public:
  explicit LinkLinter(const TopologyFile& file) : file_(file), machine_(file.machine) {}

  Findings run() {
    for (const DeviceLocation& device : all_devices(machine_)) {
      link(*device.node);
      slow_bridge(*device.node);
    }
    for (const auto& [capability, gpus] : gpus_by_capability()) slower_than_siblings(gpus, "GPUs");
    slower_than_siblings(nics_of_gpus(), "NICs of GPUs");
    gpu_direct();
    return std::move(findings_);
  }

 private:
  void add(Severity severity, TopologyDefect wrong, const PciNode& node, std::string what) {
    findings_.push_back(file_.finding(severity, wrong, node.address, std::move(what)));
  }

  void link(const PciNode& node) {
    if (node.link.speed && !nccl_speed(*node.link.speed))
      add(Severity::error, TopologyDefect::link, node,
          fmt::format("link_speed '{}' is not in NCCL's table, which then plans with 8 GT/s (PCIe 3)",
                      *node.link.speed));
    const auto width = node.link.width.value_or(0);
    if (std::ranges::find(widths, width) == widths.end())
      add(Severity::error, TopologyDefect::link, node, fmt::format("no PCI link has {} lanes", width));
  }

  // Virtual machines show bridges that are slower than anything real.
  void slow_bridge(const PciNode& bridge) {
    const auto own = total_speed(bridge.link);
    const PciNode* fastest = fastest_below(bridge);
    if (own && fastest != nullptr && *own * slow_by < total_speed(fastest->link).value_or(0))
      add(Severity::warning, TopologyDefect::link, bridge,
          fmt::format("this bridge carries {}, and {} below it {}; NCCL plans with the slower one",
                      to_text(bridge.link), fastest->address, to_text(fastest->link)));
  }

  // Of the GPUs and NICs; null where the speed of none is known.
  static const PciNode* fastest_below(const PciNode& bridge) {
    const PciNode* fastest = nullptr;
    for (const PciNode& child : bridge.children) {
      const bool is_end = kind(child) == DeviceKind::gpu || is_nic(child);
      const PciNode* const one = is_end ? &child : fastest_below(child);
      if (one != nullptr && total_speed(one->link) > (fastest == nullptr ? std::nullopt : total_speed(fastest->link)))
        fastest = one;
    }
    return fastest;
  }

  std::map<Number, Nodes> gpus_by_capability() const {
    std::map<Number, Nodes> gpus;
    for (const DeviceLocation& device : devices(machine_, DeviceKind::gpu))
      gpus[device.node->gpus.empty() ? Number() : device.node->gpus.front().sm].push_back(device.node);
    return gpus;
  }

  // Others, for storage or the outside, may be as slow as they like.
  Nodes nics_of_gpus() const {
    Nodes nics;
    for (const DeviceLocation& device : all_devices(machine_)) {
      const auto& children = device.node->children;
      const bool beside = std::ranges::any_of(children, [](const auto& node) { return kind(node) == DeviceKind::gpu; });
      for (const PciNode& child : children)
        if (beside && is_nic(child)) nics.push_back(&child);
    }
    return nics;
  }

  void slower_than_siblings(const Nodes& nodes, std::string_view what) {
    const auto speed = [](const PciNode* node) { return total_speed(node->link); };
    std::vector<double> known;
    for (const PciNode* node : nodes)
      if (const auto one = speed(node)) known.push_back(*one);
    if (known.empty()) return;
    const auto usual = most_frequent(known);
    const PciNode* const fit = *std::ranges::find(nodes, usual, speed);
    for (const PciNode* node : nodes)
      if (speed(node).value_or(usual) < usual)
        add(Severity::warning, TopologyDefect::link, *node,
            fmt::format("its link carries {}, and those of other {} {}; NCCL plans with the slower one",
                        to_text(node->link), what, to_text(fit->link)));
  }

  // NCCL writes 0 for all where the network cannot reach GPUs at all, as sockets.
  void gpu_direct() {
    const auto all = all_devices(machine_);
    const auto is_direct = [](const PciNode& node) {
      return (has_net(node) && kind(node) == DeviceKind::infiniband) ||
             std::ranges::any_of(node.gpus, [](const Gpu& gpu) { return gpu.gdr == 1; });
    };
    if (std::ranges::none_of(all, [&](const DeviceLocation& device) { return is_direct(*device.node); })) return;
    for (const DeviceLocation& device : all) {
      const PciNode& node = *device.node;
      if (std::ranges::any_of(node.gpus, [](const Gpu& gpu) { return gpu.gdr == 0; }) ||
          (has_net(node) && std::ranges::any_of(node.nic->nets, [](const Net& net) { return net.gdr == 0; })))
        add(Severity::warning, TopologyDefect::gpu_direct, node,
            "gdr is 0, so NCCL moves what passes here through memory of the host (no GPUDirect RDMA)");
    }
  }

  const TopologyFile& file_;
  const Machine& machine_;
  Findings findings_;
};

}  // namespace

Findings lint_links(const TopologyFile& file) { return LinkLinter(file).run(); }

}  // namespace muster::topology
