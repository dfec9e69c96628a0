// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "topology/cpu/cpu_list.hpp"
#include "topology/devices/bus_id.hpp"
#include "topology/machine/pci_link.hpp"
#include "topology/nccl/lint.hpp"

namespace muster::topology {
namespace {

using Devices = std::map<std::string, DeviceLocation, std::less<>>;

bool is_end(DeviceKind kind) {
  return kind == DeviceKind::gpu || kind == DeviceKind::infiniband || kind == DeviceKind::ethernet;
}

Devices by_address(const Machine& machine) {
  Devices devices;
  for (const DeviceLocation& device : all_devices(machine)) devices.emplace(lower_case(device.node->address), device);
  return devices;
}

// The bridge a device is under; empty without one.
std::string bridge_of(const DeviceLocation& device) {
  return device.bridge == nullptr ? std::string() : lower_case(device.bridge->address);
}

std::vector<int> without(const std::vector<int>& all, const std::vector<int>& these) {
  std::vector<int> rest;
  std::ranges::set_difference(all, these, std::back_inserter(rest));
  return rest;
}

class Comparison {
 public:
  Comparison(const TopologyFile& wanted, const Discovery& found)
      : wanted_(wanted), found_(found), in_file_(by_address(wanted.machine)), here_(by_address(found.machine)) {}

  Findings run() {
    domains();
    for (const auto& [address, device] : in_file_) in_file(address, device);
    for (const auto& [address, device] : here_)
      if (kind(*device.node) == DeviceKind::gpu || kind(*device.node) == DeviceKind::infiniband)
        if (!in_file_.contains(address))
          add(Severity::error, TopologyDefect::extra, address,
              fmt::format("this machine has the {} {}, and the file does not; NCCL has to guess where it is",
                          to_text(kind(*device.node)), described(address)));
    return std::move(findings_);
  }

 private:
  void add(Severity severity, TopologyDefect wrong, const std::string& device, std::string what) {
    findings_.push_back({.wrong = wrong,
                         .severity = severity,
                         .device = device,
                         .line = wanted_.line(device),
                         .what = std::move(what)});
  }

  // "mlx5_ib0" where it has a name, else the address.
  std::string described(const std::string& address) const {
    const std::string name = name_of(found_.names, address);
    return name.empty() ? address : fmt::format("{} ({})", name, address);
  }

  const NumaDomain* here(const Number& number) const {
    const auto& domains = found_.machine.domains;
    const auto at = std::ranges::find(domains, number, &NumaDomain::number);
    return at == domains.end() ? nullptr : &*at;
  }

  // The NUMA node of this machine that has all devices, at least two, of this one of the file; else its namesake.
  Number meant(const NumaDomain& domain) const {
    std::multiset<Number> homes;
    for (const auto& [address, device] : in_file_)
      if (const auto here = here_.find(address); device.domain == &domain && here != here_.end())
        homes.insert(here->second.domain->number);
    const bool together = homes.size() > 1 && *homes.begin() == *homes.rbegin() && *homes.begin() != -1;
    return together ? *homes.begin() : domain.number;
  }

  void domains() {
    if (exchanged()) return;
    std::set<Number> reported;
    for (const NumaDomain& domain : wanted_.machine.domains) {
      const Number number = meant(domain);
      if (number != domain.number && !reported.contains(number)) {
        reported.insert(domain.number);
        add(Severity::error, TopologyDefect::numa, name(domain),
            fmt::format("all devices of {} are under numa {} here", name(domain), number.value_or(-1)));
      }
      const NumaDomain* same = here(number);
      if (same == nullptr) {
        add(Severity::error, TopologyDefect::numa, name(domain), fmt::format("this machine has no {}", name(domain)));
        continue;
      }
      mask(domain, *same);
      processor(domain, *same);
    }
  }

  bool exchanged() {
    for (const NumaDomain& one : wanted_.machine.domains)
      for (const NumaDomain& other : wanted_.machine.domains) {
        const NumaDomain* here_one = here(one.number);
        const NumaDomain* here_other = here(other.number);
        if (one.number >= other.number || meant(one) != one.number || here_one == nullptr || here_other == nullptr ||
            !one.cpus || !other.cpus || one.cpus == other.cpus || one.cpus != here_other->cpus ||
            other.cpus != here_one->cpus)
          continue;
        add(Severity::error, TopologyDefect::masks_swapped, name(one),
            fmt::format(
                "the masks of {} and {} are swapped: here {} has CPUs {}; NCCL pins its threads to the far socket",
                name(one), name(other), name(one), to_text(*here_one->cpus)));
        return true;
      }
    return false;
  }

  void mask(const NumaDomain& wanted, const NumaDomain& same) {
    if (!wanted.cpus || !same.cpus) return;
    std::vector<int> foreign;
    for (const NumaDomain& domain : found_.machine.domains)
      if (&domain != &same && domain.cpus)
        std::ranges::set_intersection(*wanted.cpus, *domain.cpus, std::back_inserter(foreign));
    const std::vector<int> lacking = without(*same.cpus, *wanted.cpus);
    if (foreign.empty() && lacking.empty()) return;
    add(Severity::error, TopologyDefect::masks, name(wanted),
        fmt::format("the mask is CPUs {}; here {} has {}", to_text(*wanted.cpus), name(same), to_text(*same.cpus)));
  }

  void processor(const NumaDomain& wanted, const NumaDomain& same) {
    const bool differs = (!wanted.vendor.empty() && !same.vendor.empty() && wanted.vendor != same.vendor) ||
                         (wanted.family && same.family && wanted.family != same.family) ||
                         (wanted.model && same.model && wanted.model != same.model);
    if (differs)
      add(Severity::error, TopologyDefect::processor, name(wanted),
          fmt::format("the file says {} family {} model {}; here it is {} family {} model {}, and NCCL takes the speed "
                      "between sockets from it",
                      wanted.vendor, wanted.family.value_or(0), wanted.model.value_or(0), same.vendor,
                      same.family.value_or(0), same.model.value_or(0)));
  }

  void in_file(const std::string& address, const DeviceLocation& wanted) {
    const auto at = here_.find(address);
    const DeviceKind what = kind(*wanted.node);
    if (at == here_.end()) {
      if (is_end(what))
        add(Severity::error, TopologyDefect::missing, address,
            fmt::format("this machine has no {} {}: it is gone, or the file is of another machine", to_text(what),
                        address));
      return;
    }
    const DeviceLocation& here = at->second;
    if (what != kind(*here.node)) {
      add(Severity::error, TopologyDefect::device_class, address,
          fmt::format("the file says {} (class {}); here it is: {} (class {})", to_text(what),
                      wanted.node->device_class, to_text(kind(*here.node)), here.node->device_class));
      return;
    }
    link(address, *wanted.node, *here.node);
    if (!is_end(what)) return;
    if (here.domain->number != meant(*wanted.domain) && here.domain->number != -1)
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
  Devices in_file_;
  Devices here_;
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
  const Findings errors = lint(text, file);
  Findings findings = errors;
  for (Finding& finding : difference(file, found))
    if (std::ranges::none_of(errors, [&](const Finding& error) { return follows(finding, error); }))
      findings.push_back(std::move(finding));
  std::ranges::stable_sort(findings, {}, &Finding::line);
  return findings;
}

}  // namespace muster::topology
