// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "topology/cpu/cpu_list.hpp"
#include "topology/kernel/error.hpp"
#include "topology/machine/cores_of.hpp"
#include "topology/machine/placement.hpp"

namespace muster::topology {
namespace {

// Numbers of the cores of each NUMA node, in mpirun's order of both.
std::vector<std::vector<int>> cores_by_node(const std::vector<Core>& cores) {
  std::vector<std::vector<int>> nodes;
  std::map<int, std::size_t> place;
  for (std::size_t core = 0; core < cores.size(); ++core) {
    const auto [at, fresh] = place.emplace(cores[core].numa_node, nodes.size());
    if (fresh) nodes.emplace_back();
    nodes[at->second].push_back(static_cast<int>(core));
  }
  return nodes;
}

// What ppr:N:numa:PE=WIDTH gives each rank in turn, until one node has not enough.
std::vector<std::vector<int>> bound_by_options(const std::vector<std::vector<int>>& nodes, std::size_t ranks,
                                               std::size_t width) {
  std::vector<std::vector<int>> bound;
  for (const auto& node : nodes)
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if ((rank + 1) * width > node.size()) return bound;
      const auto first = node.begin() + static_cast<std::ptrdiff_t>(rank * width);
      bound.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
    }
  return bound;
}

// mpirun counts nodes of memory alone too, and nobody tells where.
bool nodes_are_known(const Machine& machine) {
  return std::ranges::all_of(machine.domains, [](const NumaDomain& domain) {
    return domain.number.value_or(-1) >= 0 && domain.cpus && !domain.cpus->empty();
  });
}

enum class Hosts { one, all };

[[noreturn]] void refuse() { throw Error("options of mpirun cannot express this placement; use --format rankfile"); }

// On one host the job ends with its last rank; on several mpirun fills each before the next.
std::string binding(const std::vector<RankPlacement>& seats, const Machine& machine, Hosts hosts) {
  if (seats.empty() || !nodes_are_known(machine)) refuse();
  const auto ranks = static_cast<std::size_t>(std::ranges::count(seats, seats.front().numa, &RankPlacement::numa));
  const auto width = seats.front().cores.size();
  const auto bound = bound_by_options(cores_by_node(cores_of(machine)), ranks, width);
  const bool fits = hosts == Hosts::one ? bound.size() >= seats.size() : bound.size() == seats.size();
  const bool alike = fits && std::ranges::equal(seats, std::span(bound).first(seats.size()), {}, &RankPlacement::cores);
  if (!alike) refuse();
  return fmt::format("--map-by ppr:{}:numa:PE={} --bind-to core", ranks, width);
}

}  // namespace

std::string rankfile(const std::vector<RankPlacement>& seats, const std::vector<std::string>& hosts) {
  std::string text;
  int rank = 0;
  for (const std::string& host : hosts)
    for (const RankPlacement& seat : seats)
      text += fmt::format("rank {}={} slot={}\n", rank++, host, to_text(seat.cores));
  return text;
}

std::string mpirun_binding(const std::vector<RankPlacement>& seats, const Machine& machine) {
  return binding(seats, machine, Hosts::all);
}

std::string mpirun_options(const std::vector<RankPlacement>& seats, const Machine& machine) {
  return fmt::format("-np {} {}", seats.size(), binding(seats, machine, Hosts::one));
}

std::string environment(const std::vector<RankPlacement>& seats, const DeviceNames& names) {
  std::vector<int> gpus;
  std::vector<std::string> nics;
  bool of_amazon = false;
  for (const RankPlacement& seat : seats) {
    if (seat.gpu >= 0 && std::ranges::find(gpus, seat.gpu) == gpus.end()) gpus.push_back(seat.gpu);
    of_amazon = of_amazon || seat.nic_is_of_amazon;
    const std::string name = name_of(names, seat.nic);
    if (!name.empty() && std::ranges::find(nics, name) == nics.end()) nics.push_back(name);
  }
  std::string text;
  if (!gpus.empty())
    text += fmt::format("export CUDA_DEVICE_ORDER=PCI_BUS_ID\nexport CUDA_VISIBLE_DEVICES={}\n", fmt::join(gpus, ","));
  if (!nics.empty() && !of_amazon) text += fmt::format("export NCCL_IB_HCA=={}\n", fmt::join(nics, ","));
  if (!nics.empty()) text += fmt::format("export UCX_NET_DEVICES={}:1\n", fmt::join(nics, ":1,"));
  return text;
}

}  // namespace muster::topology
