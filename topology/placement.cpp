// SPDX-License-Identifier: Apache-2.0
#include "topology/placement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "topology/cpu_list.hpp"
#include "topology/error.hpp"

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

std::vector<Placed> in_domain(const std::vector<Placed>& devices, const NumaDomain& domain) {
  std::vector<Placed> inside;
  std::ranges::copy_if(devices, std::back_inserter(inside),
                       [&](const Placed& device) { return device.domain == &domain; });
  return inside;
}

// The first `count` GPUs of as few neighbouring NUMA nodes as hold that many.
std::vector<Placed> chosen(const Machine& machine, const std::vector<Placed>& gpus, std::size_t count) {
  const auto& domains = machine.domains;
  for (std::size_t width = 1; width <= domains.size(); ++width)
    for (std::size_t first = 0; first + width <= domains.size(); ++first) {
      std::vector<Placed> inside;
      std::ranges::copy_if(gpus, std::back_inserter(inside), [&](const Placed& gpu) {
        return gpu.domain >= &domains[first] && gpu.domain < &domains[first] + width;
      });
      if (inside.size() >= count) return {inside.begin(), inside.begin() + static_cast<std::ptrdiff_t>(count)};
    }
  return gpus;
}

template <class Devices>
std::size_t position(const Devices& devices, const PciNode* node) {
  return static_cast<std::size_t>(std::ranges::find(devices, node,
                                                    [](const auto& device) {
                                                      if constexpr (requires { device.node; })
                                                        return device.node;
                                                      else
                                                        return device;
                                                    }) -
                                  devices.begin());
}

// Under the same switch, else near the same NUMA node, else anywhere; the n-th GPU takes the n-th.
std::string nic_of(const Machine& machine, const Placed& gpu) {
  if (gpu.bridge != nullptr) {
    const auto nics = below(*gpu.bridge, DeviceKind::infiniband);
    const auto index = position(below(*gpu.bridge, DeviceKind::gpu), gpu.node);
    if (!nics.empty()) return nics[index % nics.size()]->address;
  }
  const auto gpus = devices(machine, DeviceKind::gpu);
  const auto nics = devices(machine, DeviceKind::infiniband);
  const auto near = in_domain(nics, *gpu.domain);
  if (!near.empty()) return near[position(in_domain(gpus, *gpu.domain), gpu.node) % near.size()].node->address;
  return nics.empty() ? std::string() : nics[position(gpus, gpu.node) % nics.size()].node->address;
}

void seat_on_cpus(std::vector<Seat>& seats, const Machine& machine) {
  for (const NumaDomain& domain : machine.domains) {
    std::vector<Seat*> here;
    for (Seat& seat : seats)
      if (seat.numa == domain.number) here.push_back(&seat);
    for (std::size_t index = 0; index < here.size(); ++index)
      here[index]->cpus = share(domain.cpus.value_or(std::vector<int>()), index, here.size());
  }
}

}  // namespace

std::vector<Seat> placement(const Machine& machine, std::size_t ranks) {
  const auto gpus = devices(machine, DeviceKind::gpu);
  if (!gpus.empty() && ranks > gpus.size())
    throw Error(fmt::format("{} ranks were asked for, and the machine has {} GPUs", ranks, gpus.size()));
  std::vector<Number> homes;
  for (const NumaDomain& domain : machine.domains)
    if (domain.cpus && !domain.cpus->empty()) homes.push_back(domain.number);
  std::vector<Seat> seats(ranks);
  const auto mine = chosen(machine, gpus, ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Seat& seat = seats[rank];
    seat.rank = static_cast<int>(rank);
    if (gpus.empty()) {
      if (!homes.empty()) seat.numa = homes[rank * homes.size() / ranks];
      continue;
    }
    seat.gpu = static_cast<int>(position(gpus, mine[rank].node));
    seat.pci = mine[rank].node->address;
    seat.nic = nic_of(machine, mine[rank]);
    seat.numa = mine[rank].domain->number;
  }
  seat_on_cpus(seats, machine);
  for (const Seat& seat : seats)
    if (seat.cpus.empty())
      throw Error(fmt::format("there is no CPU for rank {}: {} ranks were asked for", seat.rank, ranks));
  return seats;
}

std::string rankfile(const std::vector<Seat>& seats, const std::vector<std::string>& hosts) {
  std::string text;
  int rank = 0;
  for (const std::string& host : hosts)
    for (const Seat& seat : seats) text += fmt::format("rank {}={} slot={}\n", rank++, host, to_text(seat.cpus));
  return text;
}

std::string mpirun_options(const std::vector<Seat>& seats, const Machine& machine) {
  std::map<Number, std::size_t> ranks;
  std::set<std::size_t> widths;
  for (const Seat& seat : seats) {
    ++ranks[seat.numa];
    widths.insert(seat.cpus.size());
  }
  const bool in_order = std::ranges::is_sorted(seats, {}, &Seat::numa);
  const bool alike = widths.size() == 1 &&
                     std::ranges::all_of(ranks, [&](const auto& node) { return node.second == ranks.begin()->second; });
  const bool from_the_first = !machine.domains.empty() && ranks.begin()->first == machine.domains.front().number;
  if (!in_order || !alike || !from_the_first) throw Error("no option of mpirun places ranks so: take the rankfile");
  return fmt::format("-np {} --map-by ppr:{}:numa:PE={} --bind-to core", seats.size(), ranks.begin()->second,
                     *widths.begin());
}

std::string environment(const std::vector<Seat>& seats, const std::map<std::string, std::string, std::less<>>& names) {
  std::vector<int> gpus;
  std::vector<std::string> nics;
  for (const Seat& seat : seats) {
    if (seat.gpu >= 0) gpus.push_back(seat.gpu);
    const auto name = names.find(seat.nic);
    if (name != names.end() && std::ranges::find(nics, name->second) == nics.end()) nics.push_back(name->second);
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
