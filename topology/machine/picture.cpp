// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "results/strings/table.hpp"
#include "results/strings/utf8.hpp"
#include "topology/cpu/cpu_list.hpp"
#include "topology/machine/pci_link.hpp"

namespace muster::topology {
namespace {

constexpr std::size_t width = 80;

class Picture {
 public:
  Picture(const Machine& machine, const DeviceNames& names) : machine_(machine), names_(names) {
    for (const auto what : {DeviceKind::gpu, DeviceKind::infiniband, DeviceKind::rdma, DeviceKind::ethernet}) {
      int index = 0;
      for (const DeviceLocation& device : devices(machine, what)) indices_.emplace(device.node->address, index++);
    }
  }

  std::string draw() {
    heading();
    for (const NumaDomain& domain : machine_.domains) draw(domain);
    return std::move(text_);
  }

 private:
  void line(std::string_view text) {
    text_ += results::printable(text);
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_ += '\n';
  }

  static std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
  }

  void heading() {
    std::size_t cpus = 0;
    for (const NumaDomain& domain : machine_.domains) cpus += domain.cpus ? domain.cpus->size() : 0;
    std::vector<std::string> parts{counted(machine_.domains.size(), "NUMA node"), counted(cpus, "CPU")};
    for (const auto what :
         {DeviceKind::gpu, DeviceKind::infiniband, DeviceKind::rdma, DeviceKind::ethernet, DeviceKind::drive})
      if (const auto count = devices(machine_, what).size(); count > 0) parts.push_back(counted(count, to_text(what)));
    line(fmt::format("{}", fmt::join(parts, ", ")));
  }

  void draw(const NumaDomain& domain) {
    text_ += '\n';
    std::string head = fmt::format("NUMA {}", domain.number.value_or(-1));
    if (domain.cpus) head += fmt::format("  CPUs {}", to_text(*domain.cpus));
    if (!domain.vendor.empty()) head += fmt::format("  {}", domain.vendor);
    if (domain.family && domain.model) head += fmt::format(" family {} model {}", *domain.family, *domain.model);
    line(head);
    draw(domain.devices, "");
  }

  void draw(const std::vector<PciNode>& nodes, const std::string& indent) {
    std::vector<const PciNode*> shown;
    std::vector<std::string> drives;
    for (const PciNode& node : nodes)
      if (kind(node) == DeviceKind::drive)
        drives.push_back(names_.contains(node.address) ? name_of(names_, node.address) : node.address);
      else
        shown.push_back(&node);
    for (const PciNode* node : shown) draw(*node, indent, node == shown.back() && drives.empty());
    const auto rows = results::wrapped(drives, width - 12 - results::columns(indent));
    for (std::size_t row = 0; row < rows.size(); ++row)
      line(fmt::format("{}{}{}", indent, row == 0 ? "└─ drives  " : "           ", rows[row]));
  }

  void draw(const PciNode& node, const std::string& indent, bool last) {
    line(fmt::format("{}{}{}", indent, last ? "└─ " : "├─ ", row(node)));
    draw(node.children, indent + (last ? "   " : "│  "));
  }

  std::string row(const PciNode& node) const {
    return fmt::format("{}  {}  {}  {}", results::padded(title(node), 6), node.address,
                       results::padded(to_text(node.link), 11), name_of(names_, node.address));
  }

  std::string title(const PciNode& node) const {
    const auto index = indices_.find(node.address);
    const auto number = index == indices_.end() ? std::string() : " " + std::to_string(index->second);
    switch (kind(node)) {
      case DeviceKind::bridge:
        return "switch";
      case DeviceKind::gpu:
        return "GPU" + number;
      case DeviceKind::infiniband:
        return "IB" + number;
      case DeviceKind::rdma:
        return "RDMA" + number;
      case DeviceKind::ethernet:
        return "Eth" + number;
      case DeviceKind::drive:
      case DeviceKind::other:
        break;
    }
    return "device";
  }

  const Machine& machine_;
  const DeviceNames& names_;
  std::map<std::string, int, std::less<>> indices_;
  std::string text_;
};

}  // namespace

std::string picture(const Machine& machine, const DeviceNames& names) { return Picture(machine, names).draw(); }

}  // namespace muster::topology
