// SPDX-License-Identifier: Apache-2.0
#include "topology/nccl/numa_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "topology/cpu/cpu_list.hpp"
#include "topology/devices/bus_id.hpp"

namespace muster::topology {
namespace {

std::vector<int> without(const std::vector<int>& all, const std::vector<int>& these) {
  std::vector<int> rest;
  std::ranges::set_difference(all, these, std::back_inserter(rest));
  return rest;
}

}  // namespace

LocatedDevices by_address(const Machine& machine) {
  LocatedDevices devices;
  for (const DeviceLocation& device : all_devices(machine)) devices.emplace(lower_case(device.node->address), device);
  return devices;
}

void NumaComparison::add(TopologyDefect wrong, const std::string& device, std::string what) {
  findings_.push_back(wanted_.finding(Severity::error, wrong, device, std::move(what)));
}

const NumaDomain* NumaComparison::here(const Number& number) const {
  const auto& domains = found_.machine.domains;
  const auto at = std::ranges::find(domains, number, &NumaDomain::number);
  return at == domains.end() ? nullptr : &*at;
}

Number NumaComparison::meant(const NumaDomain& domain) const {
  std::multiset<Number> homes;
  for (const auto& [address, device] : in_file_)
    if (const auto here = here_.find(address); device.domain == &domain && here != here_.end())
      homes.insert(here->second.domain->number);
  const bool together = homes.size() > 1 && *homes.begin() == *homes.rbegin() && *homes.begin() != -1;
  return together ? *homes.begin() : domain.number;
}

Findings NumaComparison::run() {
  if (exchanged()) return std::move(findings_);
  std::set<Number> reported;
  for (const NumaDomain& domain : wanted_.machine.domains) {
    if (domain.number == -1) continue;
    const Number number = meant(domain);
    if (number != domain.number && !reported.contains(number)) {
      reported.insert(domain.number);
      add(TopologyDefect::numa, name(domain),
          fmt::format("all devices of {} are under numa {} here", name(domain), number.value_or(-1)));
    }
    const NumaDomain* same = here(number);
    if (same == nullptr) {
      add(TopologyDefect::numa, name(domain), fmt::format("this machine has no {}", name(domain)));
      continue;
    }
    mask(domain, *same);
    processor(domain, *same);
  }
  return std::move(findings_);
}

bool NumaComparison::exchanged(const NumaDomain& one, const NumaDomain& other) const {
  const NumaDomain* here_one = here(one.number);
  const NumaDomain* here_other = here(other.number);
  return one.number < other.number && meant(one) == one.number && here_one != nullptr && here_other != nullptr &&
         one.cpus && other.cpus && one.cpus != other.cpus && one.cpus == here_other->cpus &&
         other.cpus == here_one->cpus;
}

bool NumaComparison::exchanged() {
  for (const NumaDomain& one : wanted_.machine.domains)
    for (const NumaDomain& other : wanted_.machine.domains) {
      if (!exchanged(one, other)) continue;
      add(TopologyDefect::masks_swapped, name(one),
          fmt::format(
              "the masks of {} and {} are swapped: here {} has CPUs {}; NCCL pins its threads to the far socket",
              name(one), name(other), name(one), to_text(*here(one.number)->cpus)));
      return true;
    }
  return false;
}

void NumaComparison::mask(const NumaDomain& wanted, const NumaDomain& same) {
  if (!wanted.cpus || !same.cpus) return;
  std::vector<int> foreign;
  for (const NumaDomain& domain : found_.machine.domains)
    if (&domain != &same && domain.cpus)
      std::ranges::set_intersection(*wanted.cpus, *domain.cpus, std::back_inserter(foreign));
  const std::vector<int> lacking = without(*same.cpus, *wanted.cpus);
  if (foreign.empty() && lacking.empty()) return;
  add(TopologyDefect::masks, name(wanted),
      fmt::format("the mask is CPUs {}; here {} has {}", to_text(*wanted.cpus), name(same), to_text(*same.cpus)));
}

void NumaComparison::processor(const NumaDomain& wanted, const NumaDomain& same) {
  const bool differs = (!wanted.vendor.empty() && !same.vendor.empty() && wanted.vendor != same.vendor) ||
                       (wanted.family && same.family && wanted.family != same.family) ||
                       (wanted.model && same.model && wanted.model != same.model);
  if (differs)
    add(TopologyDefect::processor, name(wanted),
        fmt::format("the file says {} family {} model {}; here it is {} family {} model {}, and NCCL takes the speed "
                    "between sockets from it",
                    wanted.vendor, wanted.family.value_or(0), wanted.model.value_or(0), same.vendor,
                    same.family.value_or(0), same.model.value_or(0)));
}

}  // namespace muster::topology
