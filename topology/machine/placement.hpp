// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topology/machine/machine.hpp"

namespace muster::topology {

// Where one rank of a node belongs.
struct RankPlacement {
  int rank = 0;     // on this node, from 0
  int gpu = -1;     // as CUDA counts with CUDA_DEVICE_ORDER=PCI_BUS_ID; -1 on a machine without GPUs
  std::string pci;  // of the GPU
  std::string nic;  // address of the NIC beside it; empty where there is none
  Number numa;      // of the GPU
  std::vector<int> cpus;
  std::vector<int> cores = {};    // those of the CPUs, as mpirun counts them: from 0 over the whole machine
  bool nic_is_of_amazon = false;  // an EFA, which NCCL reaches by a plug-in and never as an InfiniBand device

  bool operator==(const RankPlacement&) const = default;
};

// Whether ranks can be placed at all: on GPUs, or on NUMA nodes whose CPUs are known.
bool has_seats(const Machine& machine);

// How many ranks have a GPU for themselves: each 'gpu' of a PCI device is one.
std::size_t count_of_gpus(const Machine& machine);

// Seats of `ranks` ranks (none: one for each GPU, or each NUMA node with CPUs) in the order of their GPUs; each 'gpu'
// of a PCI device is a GPU. Fewer ranks than GPUs get GPUs of as few neighbouring NUMA nodes as can hold them. The
// cores of a node are shared out among its ranks, whole ones, as mpirun binds. Without GPUs, ranks are spread over the
// NUMA nodes. Throws Error when there are more ranks than GPUs, or than cores, nothing to place, or several hosts.
std::vector<RankPlacement> placement(const Machine& machine, std::optional<std::size_t> ranks);

// An Open MPI rankfile for hosts that are alike: "rank 8=gpu-0002 slot=0-11". Slots are cores, counted by mpirun; it
// binds with --bind-to core. Names, because Open MPI 4 takes relative hosts (+n1) from a resource manager alone.
std::string rankfile(const std::vector<RankPlacement>& seats, const std::vector<std::string>& hosts);

// Options for mpirun that bind the same way on every host: "--map-by ppr:4:numa:PE=12 --bind-to core"; PE counts cores.
// Throws Error when only a rankfile can: ranks in another order than NUMA nodes, nodes with different numbers of ranks
// or cores, or one whose NUMA nodes are not known.
std::string mpirun_binding(const std::vector<RankPlacement>& seats, const Machine& machine);

// The same for one host, with the number of ranks: "-np 8 --map-by ...".
std::string mpirun_options(const std::vector<RankPlacement>& seats, const Machine& machine);

// Shell lines for all ranks of a node, or for one: CUDA_VISIBLE_DEVICES, UCX_NET_DEVICES, NCCL_IB_HCA. Names are those
// of the NICs by address.
std::string environment(const std::vector<RankPlacement>& seats, const DeviceNames& names);

}  // namespace muster::topology
