// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "topology/devices/bus_id.hpp"
#include "topology/nccl/lint_links.hpp"
#include "topology/nccl/lint_masks.hpp"
#include "topology/nccl/lint_nvlinks.hpp"
#include "topology/nccl/nccl_parser.hpp"

namespace muster::topology {
namespace {

constexpr std::string_view x86 = "x86_64";
constexpr std::array architectures{"x86_64", "arm64", "ppc64"};
// NVSwitch, CPU, GPU and NIC in NCCL's own table; every other class, and none it knows, is that of a bridge.
constexpr std::array classes_of_leaves{"0x068000", "0x068001", "0x03", "0x02"};
constexpr std::size_t max_children_before = 128;  // NCCL 2.29.7, src/graph/xml.h; 640 since
constexpr std::array processor_vendors{"GenuineIntel", "AuthenticAMD", "CentaurHauls", "  Shanghai  "};

class Linter {
 public:
  explicit Linter(const TopologyFile& file) : file_(file), machine_(file.machine) {}

  Findings run() {
    if (const auto hosts = host_hashes(machine_).size(); hosts > 1) {
      error(TopologyDefect::hosts, "", of_several_hosts(hosts));
      return std::move(findings_);
    }
    duplicates();
    add(lint_masks(file_));
    for (const NumaDomain& domain : machine_.domains) {
      processor(domain);
      children(name(domain), domain.devices.size() + (domain.nic ? 1 : 0));
    }
    for (const DeviceLocation& device : all_devices(machine_)) check(*device.node);
    add(lint_links(file_));
    add(lint_nvlinks(file_));
    switches();
    order();
    return std::move(findings_);
  }

 private:
  void error(TopologyDefect wrong, const std::string& device, std::string what) {
    findings_.push_back(file_.finding(Severity::error, wrong, device, std::move(what)));
  }
  void warning(TopologyDefect wrong, const std::string& device, std::string what) {
    findings_.push_back(file_.finding(Severity::warning, wrong, device, std::move(what)));
  }

  void add(const Findings& more) { findings_.insert(findings_.end(), more.begin(), more.end()); }

  void duplicates() {
    for (const auto& [device, lines] : file_.lines)
      if (lines.size() > 1)
        findings_.push_back(
            {.wrong = TopologyDefect::duplicate,
             .severity = Severity::error,
             .device = device,
             .line = lines[1],
             .what = fmt::format("{} is also in line {}; NCCL takes the first for both", device, lines[0])});
  }

  void processor(const NumaDomain& domain) {
    const auto known = [](const auto& names, const std::string& name) {
      return name.empty() || std::ranges::find(names, name) != names.end();
    };
    if (!known(architectures, domain.architecture))
      error(TopologyDefect::processor, name(domain), fmt::format("NCCL knows no arch '{}'", domain.architecture));
    if (domain.architecture == x86 || domain.architecture.empty()) {
      if (!known(processor_vendors, domain.vendor))
        error(
            TopologyDefect::processor, name(domain),
            fmt::format("NCCL knows no vendor '{}' and plans as if nothing were slow between sockets", domain.vendor));
    }
    const std::string lacking = what_ends_nccl(domain);
    if (!lacking.empty() && has_net(domain))
      error(
          TopologyDefect::processor, name(domain),
          fmt::format("this 'cpu' has no {}, and a 'net'; NCCL ends: it asks the processor only above its own GPUs and "
                      "above NICs without a 'net'",
                      lacking));
  }

  // The first of the attributes that NCCL must know of a processor and the file does not say.
  static std::string what_ends_nccl(const NumaDomain& domain) {
    if (domain.architecture.empty()) return "arch";
    if (domain.architecture != x86) return {};
    if (domain.vendor.empty()) return "vendor";
    if (std::ranges::find(processor_vendors, domain.vendor) == processor_vendors.end()) return {};
    if (!domain.family) return "familyid";
    return domain.model || domain.vendor == "AuthenticAMD" ? "" : "modelid";
  }

  static bool has_net(const std::optional<Nic>& nic) { return nic && !nic->nets.empty(); }
  static bool has_net(const PciNode& node) {
    return has_net(node.nic) || std::ranges::any_of(node.children, [](const PciNode& child) { return has_net(child); });
  }
  static bool has_net(const NumaDomain& domain) {
    return has_net(domain.nic) ||
           std::ranges::any_of(domain.devices, [](const PciNode& node) { return has_net(node); });
  }

  void check(const PciNode& node) {
    if (!is_bus_id(node.address))
      error(TopologyDefect::bus_id, node.address,
            is_bus_id(lower_case(node.address))
                ? fmt::format("busid '{}' has upper-case letters; NCCL compares text, and no device has this id",
                              node.address)
                : fmt::format("busid '{}' is not an id such as '0001:00:00.0'", node.address));
    device_class(node);
    children(node.address,
             node.children.size() + node.gpus.size() + node.peers.size() + static_cast<std::size_t>(node.nic ? 1 : 0));
  }

  void children(const std::string& parent, std::size_t count) {
    if (count > max_children_before)
      warning(TopologyDefect::refused, parent,
              fmt::format("{} elements are inside this one, and NCCL before 2.29.7 ends with more than {}", count,
                          max_children_before));
  }

  void device_class(const PciNode& node) {
    const auto what = kind(node);
    const std::string_view code = node.device_class;
    const bool bridge = code.starts_with("0x0604") || code.starts_with("0x0801");
    const bool leaf =
        node.nic || std::ranges::any_of(classes_of_leaves, [&](std::string_view one) { return code.starts_with(one); });
    const auto complain = [&](std::string_view problem) {
      error(TopologyDefect::device_class, node.address, fmt::format("class {}: {}", code, problem));
    };
    if (code.empty())
      warning(TopologyDefect::device_class, node.address,
              "there is no class; NCCL ends unless the machine has this device");
    else if (leaf && !node.children.empty())
      complain("only a bridge can hold other devices; NCCL skips what is inside any other");
    else if (bridge && node.children.empty() && node.gpus.empty() && !node.nic)
      complain("a bridge holds devices, and this one has none");
    else if (!node.gpus.empty() && !code.starts_with("0x03"))
      complain("it holds a 'gpu' and its class is not that of a GPU (0x03)");
    else if (what == DeviceKind::other && !code.starts_with("0x0680"))
      complain("it is not a bridge, GPU, NIC or NVSwitch, and NCCL takes it for a bridge");
  }

  // Where switches hold a GPU and a NIC, one that holds a GPU alone is not what its author meant.
  void switches() {
    bool pairs = false;
    std::vector<const PciNode*> lonely;
    for (const DeviceLocation& device : all_devices(machine_)) {
      if (below(*device.node, DeviceKind::gpu).empty()) continue;
      const bool nic = std::ranges::any_of(device.node->children, is_nic);
      pairs = pairs || nic;
      if (!nic) lonely.push_back(device.node);
    }
    for (const PciNode* bridge : lonely)
      if (pairs)
        warning(TopologyDefect::no_nic, below(*bridge, DeviceKind::gpu).front()->address,
                fmt::format("its switch {} has no NIC, and others have; NCCL sends its data through another",
                            bridge->address));
  }

  void order() {
    for (const NumaDomain& domain : machine_.domains) order(domain.devices);
    for (const DeviceLocation& device : all_devices(machine_)) order(device.node->children);
  }
  void order(const std::vector<PciNode>& siblings) {
    for (const auto what : {DeviceKind::gpu, DeviceKind::infiniband, DeviceKind::rdma, DeviceKind::bridge}) {
      const PciNode* last = nullptr;
      for (const PciNode& node : siblings) {
        if (kind(node) != what) continue;
        if (last != nullptr && node.address < last->address)
          warning(
              TopologyDefect::order, node.address,
              fmt::format("it comes after {}; NCCL numbers devices by bus id, and nodes whose files differ in order "
                          "may build different rings",
                          last->address));
        last = &node;
      }
    }
  }

  const TopologyFile& file_;
  const Machine& machine_;
  Findings findings_;
};

}  // namespace

Findings lint(std::string_view text, const TopologyFile& file) {
  Findings findings = nccl_reads(text);
  findings.insert(findings.end(), file.findings.begin(), file.findings.end());
  const Findings meaning = Linter(file).run();
  findings.insert(findings.end(), meaning.begin(), meaning.end());
  std::ranges::stable_sort(findings, {}, &Finding::line);
  return findings;
}

Findings lint(std::string_view text) { return is_graph(text) ? nccl_reads(text) : lint(text, read_topology(text)); }

}  // namespace muster::topology
