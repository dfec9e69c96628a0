// SPDX-License-Identifier: Apache-2.0
#include "topology/machine/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "topology/kernel/error.hpp"
#include "topology/machine/cores_of.hpp"

namespace muster::topology {
namespace {

// One 'gpu' of a PCI device: NCCL takes each for one (MLOPart).
struct GpuSeat {
  DeviceLocation location;
  int number = 0;  // as CUDA counts
};

// By address, and behind one address in their order. Those that are no parts of their own are one device of CUDA.
std::vector<GpuSeat> gpu_seats(const Machine& machine) {
  std::vector<GpuSeat> seats;
  int number = -1;
  for (const DeviceLocation& device : devices(machine, DeviceKind::gpu)) {
    ++number;
    const auto& gpus = device.node->gpus;
    for (std::size_t at = 0; at < std::max<std::size_t>(1, gpus.size()); ++at) {
      if (at > 0 && gpus[at].mlopart && gpus[at].mlopart != gpus[at - 1].mlopart) ++number;
      seats.push_back({.location = device, .number = number});
    }
  }
  return seats;
}

// The share of one of `count`.
std::vector<int> share(const std::vector<int>& cores, std::size_t index, std::size_t count) {
  const auto at = [&](std::size_t part) {
    return cores.begin() + static_cast<std::ptrdiff_t>(part * cores.size() / count);
  };
  return {at(index), at(index + 1)};
}

// The first `count` GPUs of as few neighbouring NUMA nodes as hold that many.
std::vector<GpuSeat> chosen(const Machine& machine, const std::vector<GpuSeat>& gpus, std::size_t count) {
  for (std::size_t width = 1; width <= machine.domains.size(); ++width)
    for (std::size_t first = 0; first + width <= machine.domains.size(); ++first) {
      const auto nodes = std::span(machine.domains).subspan(first, width);
      std::vector<GpuSeat> inside;
      for (const GpuSeat& gpu : gpus)
        if (inside.size() < count &&
            std::ranges::any_of(nodes, [&](const auto& node) { return &node == gpu.location.domain; }))
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

// Under the same switch, else near the same NUMA node, else anywhere; the NICs there are shared out among the GPUs
// there.
const PciNode* nic_of(const Machine& machine, const DeviceLocation& gpu) {
  for (const auto near : {under_one_switch, near_one_node, anywhere}) {
    const auto neighbours = [&](std::vector<DeviceLocation> found) {
      std::erase_if(found, [&](const DeviceLocation& device) { return !near(device, gpu); });
      return found;
    };
    const auto nics = neighbours(gpu_nics(machine));
    const auto gpus = neighbours(devices(machine, DeviceKind::gpu));
    if (!nics.empty()) return nics[position(gpus, gpu) * nics.size() / gpus.size()].node;
  }
  return nullptr;
}

bool is_of_amazon(const PciNode& nic) {
  const auto name = nic.nic && !nic.nic->nets.empty() ? nic.nic->nets.front().name : std::string();
  return nic.vendor == "0x1d0f" || name.starts_with("rdmap") || name.starts_with("efa");
}

// The cores of NUMA nodes with the same mask are shared out among all ranks there. A node without CPUs, or one that the
// machine does not tell of a device, leaves all.
void seat_on_cores(std::vector<RankPlacement>& seats, const Machine& machine) {
  const auto cores = cores_of(machine);
  const auto mask_of = [&](const RankPlacement& seat) {
    const auto& cpus = std::ranges::find(machine.domains, seat.numa, &NumaDomain::number)->cpus;
    return cpus.value_or(std::vector<int>()).empty() ? all_cpus(machine) : *cpus;
  };
  std::map<std::vector<int>, std::vector<RankPlacement*>> by_mask;
  for (RankPlacement& seat : seats) by_mask[mask_of(seat)].push_back(&seat);
  for (const auto& [mask, here] : by_mask) {
    std::vector<int> numbers;
    for (std::size_t core = 0; core < cores.size(); ++core)
      if (std::ranges::binary_search(mask, cores[core].cpus.front())) numbers.push_back(static_cast<int>(core));
    for (std::size_t index = 0; index < here.size(); ++index) {
      here[index]->cores = share(numbers, index, here.size());
      for (const int core : here[index]->cores)
        std::ranges::copy(cores[static_cast<std::size_t>(core)].cpus, std::back_inserter(here[index]->cpus));
      std::ranges::sort(here[index]->cpus);
    }
  }
}

std::vector<Number> homes_without_gpus(const Machine& machine) {
  std::vector<Number> homes;
  for (const NumaDomain& domain : machine.domains)
    if (domain.cpus && !domain.cpus->empty()) homes.push_back(domain.number);
  return homes;
}

RankPlacement seat_at(const Machine& machine, const GpuSeat& gpu) {
  RankPlacement seat{.gpu = gpu.number, .pci = gpu.location.node->address, .nic = {}, .numa = {}, .cpus = {}};
  seat.numa = gpu.location.domain->number;
  if (const PciNode* nic = nic_of(machine, gpu.location)) {
    seat.nic = nic->address;
    seat.nic_is_of_amazon = is_of_amazon(*nic);
  }
  return seat;
}

}  // namespace

bool has_seats(const Machine& machine) {
  return !devices(machine, DeviceKind::gpu).empty() || !homes_without_gpus(machine).empty();
}

std::size_t count_of_gpus(const Machine& machine) { return gpu_seats(machine).size(); }

std::vector<RankPlacement> placement(const Machine& machine, std::optional<std::size_t> ranks) {
  if (const auto hosts = host_hashes(machine).size(); hosts > 1) throw Error(of_several_hosts(hosts));
  if (!has_seats(machine)) throw Error("there is nothing to place: no GPU and no CPU mask is known");
  const auto gpus = gpu_seats(machine);
  const auto homes = homes_without_gpus(machine);
  const std::size_t count = ranks.value_or(gpus.empty() ? homes.size() : gpus.size());
  if (!gpus.empty() && count > gpus.size())
    throw Error(fmt::format("{} ranks were asked for, and the machine has {} GPUs", count, gpus.size()));
  const auto mine = chosen(machine, gpus, count);
  std::vector<RankPlacement> seats(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    if (gpus.empty())
      seats[rank].numa = homes[rank * homes.size() / count];
    else
      seats[rank] = seat_at(machine, mine[rank]);
    seats[rank].rank = static_cast<int>(rank);
  }
  seat_on_cores(seats, machine);
  for (const RankPlacement& seat : seats)
    if (seat.cores.empty()) throw Error(fmt::format("{} ranks are more than the cores of the machine", count));
  return seats;
}

}  // namespace muster::topology
