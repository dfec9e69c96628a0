// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "topology/devices/bus_id.hpp"
#include "topology/machine/pci_link.hpp"
#include "topology/nccl/lint.hpp"
#include "topology/nccl/numa_difference.hpp"

namespace muster::topology {
namespace {

bool is_end(DeviceKind kind) {
  return kind == DeviceKind::gpu || kind == DeviceKind::infiniband || kind == DeviceKind::rdma ||
         kind == DeviceKind::ethernet;
}

// A file cannot always say whether Ethernet carries RDMA.
bool are_alike(DeviceKind one, DeviceKind other) {
  const auto shown = [](DeviceKind kind) { return kind == DeviceKind::rdma ? DeviceKind::ethernet : kind; };
  return shown(one) == shown(other);
}

bool leaves_class_to_kernel(const PciNode& node) {
  return node.device_class.empty() && node.gpus.empty() && !node.nic && node.children.empty();
}

bool has_switches(const Machine& machine) {
  return std::ranges::any_of(all_devices(machine),
                             [](const DeviceLocation& device) { return !device.node->children.empty(); });
}

// The bridge a device is under; empty without one.
std::string bridge_of(const DeviceLocation& device) {
  return device.bridge == nullptr ? std::string() : lower_case(device.bridge->address);
}

class Comparison {
 public:
  Comparison(const TopologyFile& wanted, const Discovery& found)
      : wanted_(wanted),
        found_(found),
        in_file_(by_address(wanted.machine)),
        here_(by_address(found.machine)),
        nodes_(wanted, found, in_file_, here_),
        says_switches_(has_switches(wanted.machine)) {}

  Findings run() {
    findings_ = nodes_.run();
    for (const auto& [address, device] : in_file_) in_file(address, device);
    for (const auto& these : {devices(found_.machine, DeviceKind::gpu), gpu_nics(found_.machine)})
      for (const DeviceLocation& device : these)
        if (!in_file_.contains(device.node->address)) extra(device);
    if (unpaired_)
      add(Severity::warning, TopologyDefect::pairing, "",
          "the file has no switches, so NCCL does not know which GPU and NIC share one");
    return std::move(findings_);
  }

 private:
  void add(Severity severity, TopologyDefect wrong, const std::string& device, std::string what) {
    findings_.push_back(wanted_.finding(severity, wrong, device, std::move(what)));
  }

  // "mlx5_ib0" where it has a name, else the address.
  std::string described(const std::string& address) const {
    const std::string name = name_of(found_.names, address);
    return name.empty() ? address : fmt::format("{} ({})", name, address);
  }

  // An Ethernet NIC with RDMA away from all GPUs may be the host's own.
  void extra(const DeviceLocation& device) {
    const bool away = kind(*device.node) == DeviceKind::rdma && has_switches(found_.machine) &&
                      (device.bridge == nullptr || below(*device.bridge, DeviceKind::gpu).empty());
    add(away ? Severity::warning : Severity::error, TopologyDefect::extra, device.node->address,
        fmt::format("this machine has the {} {}, and the file does not; NCCL has to guess where it is",
                    to_text(kind(*device.node)), described(device.node->address)));
  }

  // Nothing that is not on this machine: NCCL would look for its class there.
  void missing(const std::string& address, const PciNode& wanted) {
    if (is_end(kind(wanted)))
      add(Severity::error, TopologyDefect::missing, address,
          fmt::format("this machine has no {} {}: it is gone, or the file is of another machine", to_text(kind(wanted)),
                      address));
    else if (leaves_class_to_kernel(wanted))
      add(Severity::error, TopologyDefect::missing, address,
          fmt::format("this machine has no device {}, whose class the file leaves to the kernel; NCCL ends", address));
  }

  void in_file(const std::string& address, const DeviceLocation& wanted) {
    const auto at = here_.find(address);
    if (at == here_.end()) return missing(address, *wanted.node);
    const DeviceLocation& here = at->second;
    const DeviceKind what = kind(*here.node);
    if (!leaves_class_to_kernel(*wanted.node) && !are_alike(kind(*wanted.node), what)) {
      add(Severity::error, TopologyDefect::device_class, address,
          fmt::format("the file says {} (class {}); here it is: {} (class {})", to_text(kind(*wanted.node)),
                      wanted.node->device_class, to_text(what), here.node->device_class));
      return;
    }
    link(address, *wanted.node, *here.node);
    if (!is_end(what)) return;
    const bool tells = here.domain->number != -1 && wanted.domain->number != -1;
    if (tells && here.domain->number != nodes_.meant(*wanted.domain))
      add(Severity::error, TopologyDefect::numa, address,
          fmt::format("the file puts it under {}; here it is under {}, and its data would cross the sockets",
                      name(*wanted.domain), name(*here.domain)));
    else if (what != DeviceKind::ethernet)
      pairing(address, wanted, here);
  }

  void link(const std::string& address, const PciNode& wanted, const PciNode& here) {
    const auto promised = total_speed(wanted.link);
    const auto possible = total_speed(here.link);
    if (!promised || !possible || !here.link.width) return;
    if (*promised != *possible) {
      add(Severity::error, TopologyDefect::link, address,
          fmt::format("the file says {}; the device and its port can do {}, and NCCL plans with the file",
                      to_text(wanted.link), to_text(here.link)));
      return;
    }
    const auto now = found_.now.find(address);
    if (now == found_.now.end()) return;
    // A GPU that idles lowers its speed, never its width.
    PciLink running = now->second;
    if (kind(here) == DeviceKind::gpu || !running.speed) running.speed = here.link.speed;
    if (!running.width) running.width = here.link.width;
    if (total_speed(running) < possible)
      add(Severity::error, TopologyDefect::degraded, address,
          fmt::format("{} runs at {} and can do {}; the file hides that from NCCL", described(address),
                      to_text(running), to_text(here.link)));
  }

  // The bridge of this machine that a bridge of the file stands for: that of most of its devices; among equals its
  // namesake, then that of a GPU.
  std::string stands_for(const PciNode& bridge) const {
    std::map<std::string, int> votes;
    for (const PciNode& child : bridge.children)
      if (const auto here = here_.find(lower_case(child.address)); here != here_.end())
        votes[bridge_of(here->second)] += kind(child) == DeviceKind::gpu ? 4 : 3;
    if (const auto namesake = votes.find(lower_case(bridge.address)); namesake != votes.end()) namesake->second += 2;
    const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    return most == votes.end() ? std::string() : most->first;
  }

  void pairing(const std::string& address, const DeviceLocation& wanted, const DeviceLocation& here) {
    if (here.bridge == nullptr) return;
    const bool together = wanted.bridge != nullptr && stands_for(*wanted.bridge) == bridge_of(here);
    if (together) return;
    if (!says_switches_ && found_.switches != Switches::seen) {
      unpaired_ = true;
      return;
    }
    const bool inferred = found_.switches == Switches::inferred;
    std::vector<std::string> others;
    for (const PciNode& child : here.bridge->children)
      if (child.address != address) others.push_back(described(child.address));
    add(inferred ? Severity::warning : Severity::error, TopologyDefect::pairing, address,
        fmt::format("the file puts it under {}; {} {}",
                    wanted.bridge == nullptr ? "no switch" : "switch " + wanted.bridge->address,
                    inferred ? "by the order of addresses it shares one with" : "here it shares one with",
                    fmt::join(others, ", ")));
  }

  const TopologyFile& wanted_;
  const Discovery& found_;
  LocatedDevices in_file_;
  LocatedDevices here_;
  NumaComparison nodes_;
  bool says_switches_;
  bool unpaired_ = false;
  Findings findings_;
};

bool about_masks(const Finding& finding) {
  return finding.wrong == TopologyDefect::masks || finding.wrong == TopologyDefect::masks_swapped;
}

bool about_domains(const Finding& finding) { return finding.device.starts_with("numa "); }

bool about_place(const Finding& finding) {
  return finding.wrong == TopologyDefect::numa || finding.wrong == TopologyDefect::pairing;
}

// Whether a difference says again, or is what becomes of, an error that lint has found.
bool follows(const Finding& finding, const Finding& error) {
  if (error.severity != Severity::error) return false;
  const bool numa_node_twice = error.wrong == TopologyDefect::duplicate && about_domains(error);
  return (about_masks(finding) && about_masks(error)) ||
         (numa_node_twice && (about_domains(finding) || finding.wrong == TopologyDefect::numa)) ||
         (finding.device == error.device &&
          (finding.wrong == error.wrong || (error.wrong == TopologyDefect::ignored && !about_place(finding))));
}

}  // namespace

Findings difference(const TopologyFile& wanted, const Discovery& found) { return Comparison(wanted, found).run(); }

Findings check_topology(std::string_view text, const Discovery& found) {
  const TopologyFile file = read_topology(text);
  Findings errors = lint(text, file);
  if (host_hashes(file.machine).size() > 1) return errors;
  Findings findings = errors;
  const auto here = by_address(found.machine);
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.wrong == TopologyDefect::device_class && finding.severity == Severity::warning &&
           here.contains(finding.device);
  });
  for (Finding& finding : difference(file, found))
    if (std::ranges::none_of(errors, [&](const Finding& error) { return follows(finding, error); }))
      findings.push_back(std::move(finding));
  std::ranges::stable_sort(findings, {}, &Finding::line);
  return findings;
}

}  // namespace muster::topology
