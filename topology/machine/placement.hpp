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

  bool operator==(const RankPlacement&) const = default;
};

// Seats of `ranks` ranks (none: one for each GPU, or each NUMA node with CPUs) in the order of their GPUs. Fewer ranks
// than GPUs get GPUs of as few neighbouring NUMA nodes as can hold them. The CPUs of a node are shared out among its
// ranks, both threads of a core to the same rank where the kernel numbers them one range after the other. Without GPUs,
// ranks are spread over the NUMA nodes. Throws Error when there are more ranks than GPUs, or than CPUs.
std::vector<RankPlacement> placement(const Machine& machine, std::optional<std::size_t> ranks);

// An Open MPI rankfile for hosts that are alike: "rank 8=gpu-0002 slot=0-11". Names, because Open MPI 4 takes relative
// hosts (+n1) from a resource manager alone.
std::string rankfile(const std::vector<RankPlacement>& seats, const std::vector<std::string>& hosts);

// Options for mpirun that bind the same way: "--map-by ppr:4:numa:PE=12 --bind-to core". Throws Error when only a
// rankfile can: ranks in another order than NUMA nodes, or nodes with different numbers of ranks or CPUs.
std::string mpirun_options(const std::vector<RankPlacement>& seats, const Machine& machine);

// Shell lines for all ranks of a node, or for one: CUDA_VISIBLE_DEVICES, UCX_NET_DEVICES, NCCL_IB_HCA. Names are those
// of the NICs by address.
std::string environment(const std::vector<RankPlacement>& seats, const DeviceNames& names);

}  // namespace muster::topology
