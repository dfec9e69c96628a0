// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "topology/cpu/cpu_list.hpp"
#include "topology/devices/bus_id.hpp"
#include "topology/machine/pci_link.hpp"
#include "topology/nccl/nccl_parser.hpp"

namespace muster::topology {
namespace {

constexpr std::array<std::int64_t, 8> widths{0, 1, 2, 4, 8, 12, 16, 32};
constexpr std::array architectures{"x86_64", "arm64", "ppc64"};
constexpr std::array processor_vendors{"GenuineIntel", "AuthenticAMD", "CentaurHauls", "  Shanghai  "};

bool is_nic(const PciNode& node) { return kind(node) == DeviceKind::infiniband || kind(node) == DeviceKind::ethernet; }

// The file for ND H100 v5 that circulated until 2025-01-27: its masks are those of the other node. Recognised by what
// it says, whatever it is called and however it is laid out.
bool is_old_ndv5(const Machine& machine) {
  const auto has = [&](std::int64_t number, std::string_view cpus, std::string_view gpu) {
    return std::ranges::any_of(
               machine.domains,
               [&](const NumaDomain& domain) { return domain.number == number && domain.cpus == cpu_list(cpus); }) &&
           std::ranges::any_of(devices(machine, DeviceKind::gpu), [&](const DeviceLocation& device) {
             return device.domain->number == number && device.node->address == gpu;
           });
  };
  return machine.domains.size() == 2 && has(0, "48-95", "0001:00:00.0") && has(1, "0-47", "0009:00:00.0");
}

class Linter {
 public:
  explicit Linter(const TopologyFile& file) : file_(file), machine_(file.machine) {}

  Findings run() {
    duplicates();
    masks();
    for (const NumaDomain& domain : machine_.domains) processor(domain);
    for (const DeviceLocation& device : all_devices(machine_)) check(*device.node);
    switches();
    order();
    return std::move(findings_);
  }

 private:
  void add(Severity severity, TopologyDefect wrong, std::string device, int line, std::string what) {
    findings_.push_back(
        {.wrong = wrong, .severity = severity, .device = std::move(device), .line = line, .what = std::move(what)});
  }
  void error(TopologyDefect wrong, const std::string& device, std::string what) {
    add(Severity::error, wrong, lower_case(device), file_.line(device), std::move(what));
  }
  void warning(TopologyDefect wrong, const std::string& device, std::string what) {
    add(Severity::warning, wrong, lower_case(device), file_.line(device), std::move(what));
  }

  void duplicates() {
    for (const auto& [device, lines] : file_.lines)
      if (lines.size() > 1)
        add(Severity::error, TopologyDefect::duplicate, device, lines[1],
            fmt::format("{} is also in line {}; NCCL takes the first for both", device, lines[0]));
  }

  void masks() {
    if (is_old_ndv5(machine_)) {
      error(TopologyDefect::masks_swapped, "numa 0",
            "these are the masks of ndv5-topo.xml from before 2025-01-27; NUMA 0 and 1 are swapped, and NCCL pins its "
            "threads to the far socket");
      return;
    }
    if (words_reversed() || overlap() || empty()) return;
    std::set<int> all;
    for (const NumaDomain& domain : machine_.domains)
      if (domain.cpus) all.insert(domain.cpus->begin(), domain.cpus->end());
    std::vector<int> gap;
    for (int cpu = 0; !all.empty() && cpu < *all.rbegin(); ++cpu)
      if (!all.contains(cpu)) gap.push_back(cpu);
    if (!gap.empty())
      add(Severity::warning, TopologyDefect::masks, "", 0, fmt::format("CPUs {} are in no mask", to_text(gap)));
  }

  bool overlap() {
    std::map<int, const NumaDomain*> owner;
    for (const NumaDomain& domain : machine_.domains) {
      std::vector<int> twice;
      const NumaDomain* other = nullptr;
      for (const int cpu : domain.cpus.value_or(std::vector<int>())) {
        const auto [at, fresh] = owner.emplace(cpu, &domain);
        if (fresh || at->second->number == domain.number) continue;
        twice.push_back(cpu);
        other = at->second;
      }
      if (other == nullptr) continue;
      error(TopologyDefect::masks, name(domain),
            fmt::format("CPUs {} are in the mask of {} too{}", to_text(twice), name(*other),
                        all_the_same() ? ", and all masks are the same, as in the files for NDv4 and NDv2 from before "
                                         "2025-01-29"
                                       : ""));
      return true;
    }
    return false;
  }

  bool empty() {
    const auto at = std::ranges::find_if(machine_.domains,
                                         [](const NumaDomain& domain) { return domain.cpus && domain.cpus->empty(); });
    if (at == machine_.domains.end()) return false;
    warning(TopologyDefect::masks, name(*at), "the mask holds no CPU, and NCCL ignores it");
    return true;
  }

  bool all_the_same() const {
    return machine_.domains.size() > 1 && std::ranges::all_of(machine_.domains, [&](const NumaDomain& domain) {
             return domain.cpus == machine_.domains.front().cpus;
           });
  }

  // Masks that make no range as they are, and make one each when their words are read the other way round.
  bool words_reversed() {
    int words = 0;
    for (const NumaDomain& domain : machine_.domains) {
      if (!domain.cpus || domain.cpus->empty()) return false;
      words = std::max(words, domain.cpus->back() / 32 + 1);
    }
    bool ranges = true;
    bool reversed_ranges = true;
    for (const NumaDomain& domain : machine_.domains) {
      std::vector<int> reversed;
      for (const int cpu : *domain.cpus) reversed.push_back((words - 1 - cpu / 32) * 32 + cpu % 32);
      std::ranges::sort(reversed);
      ranges = ranges && is_range(*domain.cpus);
      reversed_ranges = reversed_ranges && is_range(reversed);
    }
    if (machine_.domains.empty() || ranges || !reversed_ranges) return false;
    error(TopologyDefect::masks, name(machine_.domains.front()),
          "the words of the masks are the wrong way round; NCCL reads the first word as the highest CPUs");
    return true;
  }

  static bool is_range(const std::vector<int>& cpus) {
    return cpus.back() - cpus.front() + 1 == static_cast<int>(cpus.size());
  }

  void processor(const NumaDomain& domain) {
    const auto known = [](const auto& names, const std::string& name) {
      return name.empty() || std::ranges::find(names, name) != names.end();
    };
    if (!known(architectures, domain.architecture))
      error(TopologyDefect::processor, name(domain), fmt::format("NCCL knows no arch '{}'", domain.architecture));
    if (!known(processor_vendors, domain.vendor))
      error(TopologyDefect::processor, name(domain),
            fmt::format("NCCL knows no vendor '{}' and plans with the slowest link between sockets", domain.vendor));
  }

  void check(const PciNode& node) {
    if (!is_bus_id(node.address))
      error(TopologyDefect::bus_id, node.address,
            is_bus_id(lower_case(node.address))
                ? fmt::format("busid '{}' has upper-case letters; NCCL compares text, and no device has this id",
                              node.address)
                : fmt::format("busid '{}' is not an id such as '0001:00:00.0'", node.address));
    link(node);
    device_class(node);
    for (const Gpu& gpu : node.gpus)
      for (const NvLink& nvlink : gpu.nvlinks)
        if (nvlink.target == node.address)
          warning(TopologyDefect::nvlink, node.address, "its NVLinks lead to itself, and NCCL does not use them");
  }

  void link(const PciNode& node) {
    if (node.link.speed && !nccl_speed(*node.link.speed))
      add(node.link.speed->empty() ? Severity::warning : Severity::error, TopologyDefect::link,
          lower_case(node.address), file_.line(node.address),
          fmt::format("link_speed '{}' is not in NCCL's table, which then plans with 8 GT/s (PCIe 3)",
                      *node.link.speed));
    const auto width = node.link.width.value_or(0);
    if (std::ranges::find(widths, width) == widths.end())
      error(TopologyDefect::link, node.address, fmt::format("no PCI link has {} lanes", width));
  }

  void device_class(const PciNode& node) {
    const auto what = kind(node);
    const std::string_view code = node.device_class;
    const bool bridge = code.starts_with("0x0604") || code.starts_with("0x0801");
    const auto complain = [&](std::string_view problem) {
      error(TopologyDefect::device_class, node.address, fmt::format("class {}: {}", code, problem));
    };
    if (code.empty())
      warning(TopologyDefect::device_class, node.address,
              "there is no class; NCCL ends unless the machine has this device");
    else if (!bridge && !node.children.empty())
      complain("only a bridge can hold other devices; NCCL skips what is inside any other");
    else if (bridge && node.children.empty() && node.gpus.empty() && !node.nic)
      complain("a bridge holds devices, and this one has none");
    else if (!node.gpus.empty() && !code.starts_with("0x03"))
      complain("it holds a 'gpu' and its class is not that of a GPU (0x03)");
    else if (node.nic && !code.starts_with("0x02"))
      complain("it holds a 'nic' and its class is not that of a NIC (0x02)");
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
    for (const auto what : {DeviceKind::gpu, DeviceKind::infiniband, DeviceKind::bridge}) {
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
