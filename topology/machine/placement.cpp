// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/placement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/error.hpp"

namespace muster::topology {
namespace {

// Consecutive numbers of a rising list, each run by itself.
std::vector<std::vector<int>> runs(const std::vector<int>& numbers) {
  std::vector<std::vector<int>> runs;
  for (const int number : numbers) {
    if (runs.empty() || runs.back().back() + 1 != number) runs.emplace_back();
    runs.back().push_back(number);
  }
  return runs;
}

// The share of one of `count`, from every run alike.
std::vector<int> share(const std::vector<int>& cpus, std::size_t index, std::size_t count) {
  std::vector<int> mine;
  for (const auto& run : runs(cpus))
    for (std::size_t at = index * run.size() / count; at < (index + 1) * run.size() / count; ++at)
      mine.push_back(run[at]);
  return mine;
}

// The first `count` GPUs of as few neighbouring NUMA nodes as hold that many.
std::vector<DeviceLocation> chosen(const Machine& machine, const std::vector<DeviceLocation>& gpus, std::size_t count) {
  for (std::size_t width = 1; width <= machine.domains.size(); ++width)
    for (std::size_t first = 0; first + width <= machine.domains.size(); ++first) {
      const auto nodes = std::span(machine.domains).subspan(first, width);
      std::vector<DeviceLocation> inside;
      for (const DeviceLocation& gpu : gpus)
        if (inside.size() < count && std::ranges::any_of(nodes, [&](const auto& node) { return &node == gpu.domain; }))
          inside.push_back(gpu);
      if (inside.size() == count) return inside;
    }
  return gpus;
}

std::size_t position(const std::vector<DeviceLocation>& devices, const DeviceLocation& wanted) {
  return static_cast<std::size_t>(std::ranges::find(devices, wanted.node, &DeviceLocation::node) - devices.begin());
}

bool under_one_switch(const DeviceLocation& one, const DeviceLocation& other) {
  return one.bridge != nullptr && one.bridge == other.bridge;
}
bool near_one_node(const DeviceLocation& one, const DeviceLocation& other) { return one.domain == other.domain; }
bool anywhere(const DeviceLocation&, const DeviceLocation&) { return true; }

// Under the same switch, else near the same NUMA node, else anywhere; the n-th GPU there takes the n-th NIC.
std::string nic_of(const Machine& machine, const DeviceLocation& gpu) {
  for (const auto near : {under_one_switch, near_one_node, anywhere}) {
    const auto neighbours = [&](DeviceKind kind) {
      auto found = devices(machine, kind);
      std::erase_if(found, [&](const DeviceLocation& device) { return !near(device, gpu); });
      return found;
    };
    const auto nics = neighbours(DeviceKind::infiniband);
    if (!nics.empty()) return nics[position(neighbours(DeviceKind::gpu), gpu) % nics.size()].node->address;
  }
  return {};
}

void seat_on_cpus(std::vector<RankPlacement>& seats, const Machine& machine) {
  for (const NumaDomain& domain : machine.domains) {
    std::vector<RankPlacement*> here;
    for (RankPlacement& seat : seats)
      if (seat.numa == domain.number) here.push_back(&seat);
    for (std::size_t index = 0; index < here.size(); ++index)
      here[index]->cpus = share(domain.cpus.value_or(std::vector<int>()), index, here.size());
  }
}

}  // namespace

std::vector<RankPlacement> placement(const Machine& machine, std::optional<std::size_t> ranks) {
  const auto gpus = devices(machine, DeviceKind::gpu);
  std::vector<Number> homes;
  for (const NumaDomain& domain : machine.domains)
    if (domain.cpus && !domain.cpus->empty()) homes.push_back(domain.number);
  const std::size_t count = ranks.value_or(gpus.empty() ? homes.size() : gpus.size());
  if (!gpus.empty() && count > gpus.size())
    throw Error(fmt::format("{} ranks were asked for, and the machine has {} GPUs", count, gpus.size()));
  std::vector<RankPlacement> seats(count);
  const auto mine = chosen(machine, gpus, count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    RankPlacement& seat = seats[rank];
    seat.rank = static_cast<int>(rank);
    if (gpus.empty()) {
      if (!homes.empty()) seat.numa = homes[rank * homes.size() / count];
      continue;
    }
    seat.gpu = static_cast<int>(position(gpus, mine[rank]));
    seat.pci = mine[rank].node->address;
    seat.nic = nic_of(machine, mine[rank]);
    seat.numa = mine[rank].domain->number;
  }
  seat_on_cpus(seats, machine);
  for (const RankPlacement& seat : seats)
    if (seat.cpus.empty())
      throw Error(fmt::format("{} ranks are more than the CPUs: rank {} has none", count, seat.rank));
  return seats;
}

std::string rankfile(const std::vector<RankPlacement>& seats, const std::vector<std::string>& hosts) {
  std::string text;
  int rank = 0;
  for (const std::string& host : hosts)
    for (const RankPlacement& seat : seats)
      text += fmt::format("rank {}={} slot={}\n", rank++, host, to_text(seat.cpus));
  return text;
}

std::string mpirun_options(const std::vector<RankPlacement>& seats, const Machine& machine) {
  std::map<Number, std::size_t> ranks;
  std::set<std::size_t> widths;
  for (const RankPlacement& seat : seats) {
    ++ranks[seat.numa];
    widths.insert(seat.cpus.size());
  }
  const bool in_order = std::ranges::is_sorted(seats, {}, &RankPlacement::numa);
  const bool alike = widths.size() == 1 &&
                     std::ranges::all_of(ranks, [&](const auto& node) { return node.second == ranks.begin()->second; });
  const bool from_the_first = !machine.domains.empty() && ranks.begin()->first == machine.domains.front().number;
  if (!in_order || !alike || !from_the_first)
    throw Error("options of mpirun cannot express this placement; use --format rankfile");
  return fmt::format("-np {} --map-by ppr:{}:numa:PE={} --bind-to core", seats.size(), ranks.begin()->second,
                     *widths.begin());
}

std::string environment(const std::vector<RankPlacement>& seats, const DeviceNames& names) {
  std::vector<int> gpus;
  std::vector<std::string> nics;
  for (const RankPlacement& seat : seats) {
    if (seat.gpu >= 0) gpus.push_back(seat.gpu);
    const std::string name = name_of(names, seat.nic);
    if (!name.empty() && std::ranges::find(nics, name) == nics.end()) nics.push_back(name);
  }
  std::string text;
  if (!gpus.empty())
    text += fmt::format("export CUDA_DEVICE_ORDER=PCI_BUS_ID\nexport CUDA_VISIBLE_DEVICES={}\n", fmt::join(gpus, ","));
  if (!nics.empty())
    text += fmt::format("export NCCL_IB_HCA=={}\nexport UCX_NET_DEVICES={}:1\n", fmt::join(nics, ","),
                        fmt::join(nics, ":1,"));
  return text;
}

}  // namespace muster::topology
